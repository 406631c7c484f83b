import type { End } from './fleet.ts';
import type { Life } from './memory.ts';
import type { World } from './world.ts';

interface Outcome {
  minutes: number;
  lives: readonly Life[];
  /** Open files of each instance before the load, and some time after it. */
  files: readonly { name: string; before: number; after: number }[];
}

/** Returns the final table in Markdown. */
export function summarise(world: World, { minutes, lives, files }: Outcome): string {
  const { tally, fleet, receiver, ledger, contract, findings } = world;
  const { called, never, missed } = contract.coverage(Math.floor(minutes));
  const mb = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
  const list = (rows: [string, number][]) => rows.map(([name, count]) => `${name}: ${count}`).join(', ') || 'none';
  const rows: [string, string][] = [
    ['Length', `${minutes.toFixed(1)} minutes`],
    ['Requests', `${tally.of('requests')} (${(tally.of('requests') / minutes / 60).toFixed(1)} a second)`],
    ['Responses by status', list(tally.under('status '))],
    [
      'Time to the complete response',
      `p50 ${tally.quantile(0.5).toFixed(0)} ms, p99 ${tally.quantile(0.99).toFixed(0)} ms`,
    ],
    ['Routes', `${called} called, ${never.length} never, ${missed.size} that missed a minute`],
    [
      'Replies',
      `${tally.of('streams')} streamed, ${tally.of('exchanges')} waited for, ${tally.of('sent again')} sent again`,
    ],
    ['Documents, platform messages', `${tally.of('documents')}, ${tally.of('platform messages')}`],
    ['Webhook posts', `${receiver.posts} for ${receiver.events.size} events, ${receiver.repeated} of them repeated`],
    [
      'In the ledger',
      `${ledger.sent.size} messages, ${ledger.replies.size} replies, ${ledger.documents.size} documents`,
    ],
    ['Ends', describeEnds(fleet.ends)],
    ...(fleet.troubles.size > 0 ? [['Troubles', list([...fleet.troubles])] as [string, string]] : []),
    ['Connections lost when instances ended', `${tally.of('connections lost')}`],
    ...lives.map(({ name, ...life }): [string, string] => [
      `Memory of ${name}`,
      `${mb(life.startBytes)} to ${mb(life.endBytes)} in ${life.minutes.toFixed(1)} minutes of its longest life after the ` +
        `warm-up (${(life.growth * 100).toFixed(1)} %, ${mb(life.bytesPerMinute * 60)} an hour), at most ${mb(life.maxBytes)}; ` +
        `heap at its lowest ${mb(life.heapFloorBytes[0])}, then ${mb(life.heapFloorBytes[1])}`,
    ]),
    ['Open files', files.map(({ name, before, after }) => `${name} ${before} before, ${after} after`).join('; ')],
    ['Warnings in the logs', list(tally.under('warning '))],
    ['Findings', `${findings.count}`],
  ];
  const table = ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
  const found = findings
    .list()
    .flatMap(({ kind, count, examples }) => [`- ${kind} (${count})`, ...examples.map((example) => `    - ${example}`)]);
  return [table, ...(found.length > 0 ? ['', ...found] : [])].join('\n');
}

function describeEnds(ends: readonly End[]): string {
  const of = (signal: End['signal']) => ends.filter((end) => end.signal === signal);
  const most = (values: number[]) => `${(Math.max(0, ...values) / 1_000).toFixed(1)} s`;
  return (
    `${of('SIGKILL').length} by SIGKILL, ${of('SIGTERM').length} by SIGTERM (gone after ${most(of('SIGTERM').map(({ goneMs }) => goneMs))} ` +
    `at most); ready again after ${most(ends.map(({ readyMs }) => readyMs))} at most`
  );
}

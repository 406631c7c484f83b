import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { countOf, report } from '../../support/fault-report.ts';

const soak = fileURLToPath(new URL('../../soak/run.ts', import.meta.url));
const seconds = countOf({ quick: 45, long: 7_200 });
const rate = countOf({ quick: 20, long: 100 });
const everySeconds = countOf({ quick: 5, long: 5 });

/** Findings that only indicate a slow machine or a short run, and no loss of anything acknowledged. */
const noInvariant = [
  'not ready within 5 s',
  'a route that never succeeded',
  'a route that did not succeed in each minute',
];

/** The rows of the soak's table, and its findings with their examples. */
function readSummary(summary: string) {
  const cells = new Map(
    summary.matchAll(/^\| (\w[^|]*) \| (.*) \|$/gm).map(([, name = '', value = '']) => [name, value]),
  );
  const kinds = [...summary.matchAll(/^- (.+) \(\d+\)((?:\n {4}- .*)*)/gm)];
  return { cells, findings: kinds.filter(([, kind = '']) => !noInvariant.includes(kind)).map(([whole]) => whole) };
}

test(
  'violates no invariant while instances, PostgreSQL and connections fail every few seconds',
  async ({ task }) => {
    const args = ['--minutes', `${seconds / 60}`, '--rate', `${rate}`, '--ends-every', `${everySeconds}`, '--chaos'];
    const child = spawn(process.execPath, [soak, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [summary, progress] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    const { cells, findings } = readSummary(summary);
    if (!cells.has('Ends')) throw new Error(`the soak did not finish: ${progress}`);
    expect(findings).toEqual([]);
    const ends = [...(cells.get('Ends') ?? '').matchAll(/(\d+) by SIG/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    const troubles = [...(cells.get('Troubles') ?? '').matchAll(/: (\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    expect(Math.min(ends, troubles)).toBeGreaterThan(1);
    report(
      { task },
      {
        times: `${ends + troubles} faults in ${seconds} s`,
        checked: `requests: ${cells.get('Requests')}; in the ledger: ${cells.get('In the ledger')}`,
        note: `${cells.get('Ends')}; ${cells.get('Troubles')}`,
      },
    );
  },
  (seconds + 300) * 1_000,
);

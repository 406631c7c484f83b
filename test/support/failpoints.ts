import { registerHooks } from 'node:module';

/**
 * Moments at which a process can be made to die or to throw, for kills that random times would hardly ever hit.
 *
 * The product knows nothing of them: a test starts it with `--import` of this file and `FAILPOINT=name`, and the call is
 * put into the built module while it is loaded. `name:3` acts when the moment comes for the third time, `name=throw`
 * throws instead of killing. A module that has changed so that the place isn't found any more ends the start.
 */
interface Point {
  /** Below `dist/`. */
  module: string;
  /** Found exactly once; `$&` in `with` is the text itself, `FAIL` the call, which answers undefined. */
  find: string;
  with: string;
}

const points: Record<string, Point> = {
  /** Comes before each migration and after it. */
  migration_step: {
    module: 'src/core/migrate.js',
    find: 'await orm.migrator.up()',
    with: "(['migrating', 'migrated'].forEach((event) => orm.migrator.on(event, () => FAIL)), $&)",
  },
  document_received: {
    module: 'src/knowledge/upload-document.js',
    find: 'return { id, agentId, filename, format, removal, ...content };',
    with: 'FAIL; $&',
  },
  document_committed: {
    module: 'rest/adapters/upload.js',
    find: 'await add(ctx)',
    with: '$&.then((text) => FAIL ?? text)',
  },
  document_embedded: {
    module: 'src/knowledge/embed-chunks.js',
    find: 'await vectors.upsert(',
    with: 'FAIL; $&',
  },
  document_upserted: { module: 'src/knowledge/embed-chunks.js', find: 'highest = Math.max(', with: 'FAIL; $&' },
  document_settled: {
    module: 'src/knowledge/process-document.js',
    find: 'await ctx.ports.vectors.settle(place, total, run.signal);',
    with: '$& FAIL;',
  },
  message_committing: { module: 'src/conversations/start-generation.js', find: 'return accepted;', with: 'FAIL; $&' },
  message_accepted: {
    module: 'src/conversations/start-generation.js',
    find: 'onCommitted(ctx, () => runGeneration(',
    with: 'onCommitted(ctx, () => FAIL ?? runGeneration(',
  },
  generation_prompted: {
    module: 'src/conversations/run-generation.js',
    find: 'sources.give(given);',
    with: '$& FAIL;',
  },
  generation_first_delta: {
    module: 'src/conversations/run-generation.js',
    find: 'live.append(sources.write(content))',
    with: '(live.append(sources.write(content)), FAIL)',
  },
  generation_written: {
    module: 'src/conversations/run-generation.js',
    find: 'const { text } = live;',
    with: '$& FAIL;',
  },
  generation_completing: {
    module: 'src/conversations/complete-generation.js',
    find: 'return { state, message, usage };',
    with: 'FAIL; $&',
  },
  generation_completed: {
    module: 'src/conversations/run-generation.js',
    find: '(outcome) => live.finish(outcome)',
    with: '(outcome) => FAIL ?? live.finish(outcome)',
  },
  reply_delivered: {
    module: 'schema/messages.js',
    find: 'if (isDone)',
    with: 'if (isDone) FAIL; $&',
  },
  webhook_claimed: {
    module: 'src/webhooks/webhook-dispatcher.js',
    find: 'outcome = await attempt(delivery);',
    with: 'FAIL; $&',
  },
  webhook_posted: {
    module: 'src/webhooks/webhook-dispatcher.js',
    find: 'outcome = await attempt(delivery);',
    with: '$& FAIL;',
  },
  webhook_recorded: {
    module: 'src/webhooks/webhook-dispatcher.js',
    find: 'const { tasks } = newCtx().ports;',
    with: 'FAIL; $&',
  },
  agents_listed: { module: 'schema/agents.js', find: 'await listAgents(', with: 'FAIL ?? await listAgents(' },
  export_sent: {
    module: 'rest/adapters/conversation-export.js',
    find: 'const { conversationId, format } = parse(request);',
    with: 'FAIL; $&',
  },
  stream_followed: { module: 'schema/messages.js', find: 'const event = next.value;', with: '$& FAIL;' },
};

const wish = /^(\w+)(?::(\d+))?(=throw)?$/.exec(process.env['FAILPOINT'] ?? '');
const name = wish?.[1] ?? '';
const point = points[name];
if (!wish || !point) throw new Error(`There is no failpoint "${process.env['FAILPOINT']}".`);
let passes = Number(wish[2] ?? 1);

function fail(): undefined {
  passes -= 1;
  if (wish?.[3]) {
    if (passes > 0) return undefined;
    throw new TypeError(`failpoint ${name} in /secret/path`);
  }
  if (passes === 0) process.kill(process.pid, 'SIGKILL');
  return undefined;
}

Object.assign(globalThis, { failpoint: fail });
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/dist/${point.module}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    if (source.split(point.find).length !== 2) throw new Error(`The place of failpoint ${name} is not there any more.`);
    const text = point.with.replace('FAIL', 'globalThis.failpoint()');
    return { ...loaded, source: source.replace(point.find, () => text.replace('$&', () => point.find)) };
  },
});

/** A call that a failpoint inserts into a built module. */
export interface Point {
  /** Below `dist/`. */
  module: string;
  /** Occurs exactly once; `$&` in `with` is the text itself, `FAIL` the call, which returns undefined. */
  find: string;
  with: string;
}

export const failpoints: Readonly<Record<string, Point>> = {
  /** Runs before and after each migration. */
  migration_step: {
    module: 'src/core/database/run-migrations.js',
    find: 'await orm.migrator.up()',
    with: "(['migrating', 'migrated'].forEach((event) => orm.migrator.on(event, () => FAIL)), $&)",
  },
  document_received: {
    module: 'src/knowledge/upload-document.js',
    find: 'return { id, agentId, filename, format, removal, ...content };',
    with: 'FAIL; $&',
  },
  document_committed: {
    module: 'rest/adapters/document-upload.js',
    find: 'return await sendResponse(reply, answer);',
    with: 'FAIL; $&',
  },
  document_embedded: {
    module: 'src/knowledge/processing/embed-chunks.js',
    find: 'await vectors.upsert(',
    with: 'FAIL; $&',
  },
  document_upserted: {
    module: 'src/knowledge/processing/embed-chunks.js',
    find: 'highest = Math.max(',
    with: 'FAIL; $&',
  },
  document_settled: {
    module: 'src/knowledge/processing/process-document.js',
    find: 'await ctx.ports.vectors.settle(target, total, run.signal);',
    with: '$& FAIL;',
  },
  message_committing: {
    module: 'src/conversations/generations/start-generation.js',
    find: 'return accepted;',
    with: 'FAIL; $&',
  },
  message_accepted: {
    module: 'src/conversations/generations/start-generation.js',
    find: 'onCommitted(tx, () => runGeneration(',
    with: 'onCommitted(tx, () => FAIL ?? runGeneration(',
  },
  generation_prompted: {
    module: 'src/conversations/replies/stream-reply.js',
    find: 'sources.give(given);',
    with: '$& FAIL;',
  },
  generation_first_delta: {
    module: 'src/conversations/replies/stream-reply.js',
    find: 'write(sources.write(content))',
    with: '(write(sources.write(content)), FAIL)',
  },
  generation_written: {
    module: 'src/conversations/replies/write-reply.js',
    find: 'const { firstWordsMs } = live;',
    with: '$& FAIL;',
  },
  generation_completing: {
    module: 'src/conversations/generations/complete-generation.js',
    find: 'const message = await storeReply(',
    with: 'FAIL; $&',
  },
  generation_completed: {
    module: 'src/conversations/replies/write-reply.js',
    find: '(outcome) => live.finish(outcome)',
    with: '(outcome) => FAIL ?? live.finish(outcome)',
  },
  reply_delivered: {
    module: 'schema/messages.js',
    find: 'if (isDone)',
    with: 'if (isDone) FAIL; $&',
  },
  webhook_claimed: {
    module: 'src/webhooks/dispatch/send-stage.js',
    find: 'const outcome = await attempt(delivery)',
    with: 'FAIL; $&',
  },
  webhook_posted: {
    module: 'src/webhooks/dispatch/send-stage.js',
    find: 'endpoint.noteResponse(',
    with: 'FAIL; $&',
  },
  webhook_recorded: {
    module: 'src/webhooks/dispatch/send-stage.js',
    find: 'const { tasks } = newCtx().ports;',
    with: 'FAIL; $&',
  },
  agents_listed: { module: 'schema/agents.js', find: 'await listAgents(', with: 'FAIL ?? await listAgents(' },
  export_sent: {
    module: 'rest/adapters/conversation-export.js',
    find: 'const { conversation_id: id, format } = parse(request);',
    with: 'FAIL; $&',
  },
  version_publishing: { module: 'src/agents/make-live.js', find: 'const live = {', with: 'FAIL; $&' },
  version_published: {
    module: 'schema/versions.js',
    find: 'await publishVersion(ctx, agentId, versionId)',
    with: '$&.then((version) => FAIL ?? version)',
  },
  experiment_starting: {
    module: 'src/studio/experiments/run-experiment.js',
    find: "await publish(tx, ownerId, 'experiment.started'",
    with: 'FAIL; $&',
  },
  experiment_started: {
    module: 'schema/experiments.js',
    find: 'await startExperiment(ctx, id)',
    with: '$&.then((experiment) => FAIL ?? experiment)',
  },
  experiment_concluding: {
    module: 'src/studio/experiments/run-experiment.js',
    find: 'const winner = await findVersion(',
    with: 'FAIL; $&',
  },
  experiment_concluded: {
    module: 'schema/experiments.js',
    find: 'await concludeExperiment(ctx, id, input)',
    with: '$&.then((experiment) => FAIL ?? experiment)',
  },
  stream_followed: { module: 'schema/messages.js', find: "isDone = next.value.type === 'done';", with: '$& FAIL;' },
};

import type { Ctx } from '../../../src/core/ctx.ts';
import type { Feature } from '../../../src/core/feature.ts';

declare module '../../../src/core/ids.ts' {
  interface IdPrefixes {
    note_: 'note';
  }
}
declare module '../../../src/core/actor.ts' {
  interface Scopes {
    'notes:write': true;
  }
}
declare module '../../../src/core/outbox.ts' {
  interface EventData {
    'note.written': { noteId: string };
  }
}
declare module '../../../src/core/tasks/tasks.ts' {
  interface TaskPayloads {
    'note.write': { userId: string; noteId: string };
  }
}

type Publish = (ctx: Ctx, userId: string, type: 'note.written', data: { noteId: string }) => Promise<void>;
type InTransaction = (ctx: Ctx, fn: (tx: Ctx) => Promise<void>) => Promise<void>;
// Import from the built service, so that its modules are not loaded twice.
const { publish } = (await import(new URL('../../../dist/src/core/outbox.js', import.meta.url).href)) as {
  publish: Publish;
};
const { inTransaction } = (await import(
  new URL('../../../dist/src/core/database/transaction.js', import.meta.url).href
)) as { inTransaction: InTransaction };

/** A sample feature with a scope, an id, an event, a job and a purge step. */
export const notes: Feature = {
  name: 'notes',
  idPrefixes: { note: 'note_' },
  scopes: ['notes:write'],
  events: {
    'note.written': {
      description: 'A note was written.',
      data: [{ properties: { note_id: { type: 'string' } } }],
      example: { noteId: 'note_1' },
    },
  },
  jobs: [
    {
      kind: 'note.write',
      handle: (ctx, { userId, noteId }) => inTransaction(ctx, (tx) => publish(tx, userId, 'note.written', { noteId })),
    },
  ],
  purge: [{ name: 'notes', purge: () => Promise.resolve({ notes: 1 }) }],
};

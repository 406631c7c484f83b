import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Ctx } from '../core/ctx.ts';
import { type Document, documentColumns } from './document.ts';
import { requireOwnAgent } from './own-agent.ts';

const pollMs = 1_000;
/** Number of newest documents that every poll reads. A short document can become ready between two polls. */
const newestCount = 20;

const readChanging = {
  name: 'documents_changing',
  text: `
    select ${documentColumns} from documents d where d.id in (
      select id from documents where agent_id = any ($1) and status = 'processing'
      union
      select n.id from unnest($1::text[]) as a (id) cross join lateral (
        select id from documents where agent_id = a.id order by created_at desc, id desc limit ${newestCount}
      ) n
      union
      select unnest($2::text[])
    )`,
};

interface Reader {
  /**
   * Latest state of each document that the reader has not received. One entry a document bounds the memory of a slow
   * reader.
   */
  pending: Map<string, Document>;
  wake: () => void;
}

interface WatchedAgent {
  readers: Set<Reader>;
  known: Map<string, Document>;
}

interface Watch {
  agents: Map<string, WatchedAgent>;
  isPolling: boolean;
}

/** One watch per process: a single statement a second reads all watched agents, however many readers there are. */
const watches = new WeakMap<pg.Pool, Watch>();

/**
 * Follows the documents of one of the caller's agents until `left` fires: yields the documents in progress and the
 * newest ones first, then each document that changes. Deletions are not reported.
 * @throws AppError `not_found`
 */
export async function followDocuments(
  ctx: Ctx,
  agentId: string,
  left: AbortSignal,
): Promise<AsyncGenerator<Document, void, void>> {
  await requireOwnAgent(ctx, agentId);
  return readUpdates(ctx.ports.background(), agentId, left);
}

async function* readUpdates(ctx: Ctx, agentId: string, left: AbortSignal): AsyncGenerator<Document, void, void> {
  const watch: Watch = watches.get(ctx.pool) ?? { agents: new Map(), isPolling: false };
  watches.set(ctx.pool, watch);
  const { agents } = watch;
  const agent: WatchedAgent = agents.get(agentId) ?? { readers: new Set(), known: new Map() };
  agents.set(agentId, agent);
  const reader: Reader = { pending: new Map(agent.known), wake: () => undefined };
  agent.readers.add(reader);
  const leave = (): void => reader.wake();
  left.addEventListener('abort', leave);
  try {
    // The first reader of an agent does not wait for the next poll.
    if (agent.readers.size === 1) await readOnce(ctx, new Map([[agentId, agent]]));
    void poll(ctx, watch);
    while (!left.aborted) {
      for (const [id, document] of reader.pending) {
        reader.pending.delete(id);
        yield document;
      }
      if (reader.pending.size > 0 || left.aborted) continue;
      await new Promise<void>((resolve) => (reader.wake = resolve));
    }
  } finally {
    left.removeEventListener('abort', leave);
    agent.readers.delete(reader);
    if (agent.readers.size === 0) agents.delete(agentId);
  }
}

/** Reads the watched agents once a second while there are any. */
async function poll(ctx: Ctx, watch: Watch): Promise<void> {
  if (watch.isPolling) return;
  watch.isPolling = true;
  while (watch.agents.size > 0) {
    try {
      await readOnce(ctx, watch.agents);
    } catch (error) {
      ctx.log.warn({ err: error }, 'could not read the documents that are followed, will retry');
    }
    await sleep(pollMs, undefined, { ref: false });
  }
  watch.isPolling = false;
}

async function readOnce(ctx: Ctx, agents: Map<string, WatchedAgent>): Promise<void> {
  const processing = [...agents.values()].flatMap(({ known }) =>
    [...known.values()].filter(({ status }) => status === 'processing').map(({ id }) => id),
  );
  const documents = await ctx.sql<Document>(readChanging, [[...agents.keys()], processing]);
  const byAgent = Map.groupBy(documents, (document) => document.agentId);
  for (const [agentId, agent] of agents) {
    const found = byAgent.get(agentId) ?? [];
    const changed = found.filter((document) => !isSame(document, agent.known.get(document.id)));
    agent.known = new Map(found.map((document) => [document.id, document]));
    for (const reader of changed.length > 0 ? agent.readers : []) {
      for (const document of changed) reader.pending.set(document.id, document);
      reader.wake();
    }
  }
}

const isSame = (document: Document, known: Document | undefined): boolean =>
  known !== undefined && JSON.stringify(document) === JSON.stringify(known);

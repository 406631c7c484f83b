import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../core/ctx.ts';
import { describeError } from '../core/task-errors.ts';
import { type Counted, type Outcome, recordOutcomes } from './dispatch-outcomes.ts';

/** Writes outcomes as fast as the database takes them: those that come while it is at a batch are the next one. */
export interface OutcomeWriter<Endpoint> {
  add(endpoint: Endpoint, outcome: Outcome): void;
}

/** How an attempt ended, and what its sender keeps of the endpoint. */
export interface WrittenOutcome<Endpoint> {
  endpoint: Endpoint;
  outcome: Outcome;
}

interface OutcomeWriterOptions<Endpoint> {
  newCtx: () => Ctx;
  /** After it a write would change nothing, because the leases are over. */
  leaseMs: number;
  /** With what the failures of every webhook have come to; null when the batch was given up. */
  onWritten: (batch: readonly WrittenOutcome<Endpoint>[], counted: ReadonlyMap<string, Counted> | null) => void;
}

const outcomesPerWrite = 500;
const writeAgainMs = 200;

/** A writer with one statement under way at a time; a batch that cannot be written is tried again until its leases are over. */
export function createOutcomeWriter<Endpoint>(options: OutcomeWriterOptions<Endpoint>): OutcomeWriter<Endpoint> {
  const { newCtx, leaseMs, onWritten } = options;
  const waiting: WrittenOutcome<Endpoint>[] = [];
  let writing: Promise<void> | undefined;

  function write(): void {
    if (waiting.length === 0) return;
    writing ??= writeAll().then(() => {
      writing = undefined;
      write();
    });
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, outcomesPerWrite);
      onWritten(batch, await writeBatch(batch.map(({ outcome }) => outcome)));
    }
  }

  async function writeBatch(batch: readonly Outcome[]): Promise<Map<string, Counted> | null> {
    const deadline = performance.now() + leaseMs;
    for (;;) {
      const ctx = newCtx();
      try {
        return await recordOutcomes(ctx, batch);
      } catch (error) {
        ctx.log.warn({ error: describeError(error) }, 'could not write outcomes of deliveries');
        if (performance.now() > deadline) return null;
        await sleep(writeAgainMs);
      }
    }
  }

  return {
    add: (endpoint, outcome) => {
      waiting.push({ endpoint, outcome });
      write();
    },
  };
}

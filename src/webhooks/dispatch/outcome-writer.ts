import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../core/ctx.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { type FailureCount, type DeliveryOutcome, recordOutcomes } from './record-outcomes.ts';

/** Records outcomes in batches: those that arrive while a batch is written form the next one. */
export interface OutcomeWriter<Endpoint> {
  add(endpoint: Endpoint, outcome: DeliveryOutcome): void;
}

/** The outcome of an attempt and its endpoint. */
export interface SentOutcome<Endpoint> {
  endpoint: Endpoint;
  outcome: DeliveryOutcome;
}

interface OutcomeWriterOptions<Endpoint> {
  newCtx: () => Ctx;
  /** Duration of a lease. Recording after it expires would have no effect. */
  leaseMs: number;
  /** Receives the failure counts by webhook, or null if the batch was given up. */
  onRecorded: (batch: readonly SentOutcome<Endpoint>[], failures: ReadonlyMap<string, FailureCount> | null) => void;
}

const outcomesPerWrite = 500;
const retryMs = 200;

/** Creates a writer that runs one statement at a time and retries a batch until its leases expire. */
export function createOutcomeWriter<Endpoint>(options: OutcomeWriterOptions<Endpoint>): OutcomeWriter<Endpoint> {
  const { newCtx, leaseMs, onRecorded } = options;
  const waiting: SentOutcome<Endpoint>[] = [];
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
      onRecorded(batch, await writeBatch(batch.map(({ outcome }) => outcome)));
    }
  }

  async function writeBatch(batch: readonly DeliveryOutcome[]): Promise<Map<string, FailureCount> | null> {
    const deadline = performance.now() + leaseMs;
    for (;;) {
      const ctx = newCtx();
      try {
        return await recordOutcomes(ctx, batch);
      } catch (error) {
        ctx.log.warn({ error: describeError(error) }, 'could not record the outcomes of deliveries, will retry');
        if (performance.now() > deadline) return null;
        await sleep(retryMs);
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

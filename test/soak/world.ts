import { setTimeout as delay } from 'node:timers/promises';
import type { Contract } from './contract.ts';
import type { Findings } from './findings.ts';
import type { Fleet } from './fleet.ts';
import type { Ledger } from './ledger.ts';
import type { Receiver } from './receiver.ts';
import type { Tally } from './tally.ts';
import type { Vendors } from './vendors.ts';

/** All that a virtual user needs. */
export interface World {
  fleet: Fleet;
  contract: Contract;
  findings: Findings;
  ledger: Ledger;
  tally: Tally;
  vendors: Vendors;
  receiver: Receiver;
  /** Resolves when the next request may leave. */
  turn(): Promise<void>;
  /** Aborted when the time is over: nobody begins anything new. */
  over: AbortSignal;
}

/** Spreads requests evenly: at most `rate` a second over everybody. What was not used is not made up for. */
export function createPacer(rate: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    nextAt = Math.max(now, nextAt) + 1_000 / rate;
    if (nextAt > now) await delay(nextAt - now);
  };
}

/** The finding is noted already: the virtual user begins anew. */
export class Abandoned extends Error {}

import { setTimeout as delay } from 'node:timers/promises';
import type { Contract } from './contract.ts';
import type { Findings } from './findings.ts';
import type { Fleet } from './fleet.ts';
import type { Ledger } from './ledger.ts';
import type { Receiver } from './receiver.ts';
import type { Tally } from './tally.ts';
import type { Vendors } from './vendors.ts';

/** Everything that a virtual user needs. */
export interface World {
  fleet: Fleet;
  contract: Contract;
  findings: Findings;
  ledger: Ledger;
  tally: Tally;
  vendors: Vendors;
  receiver: Receiver;
  moderatorToken: string;
  /** Resolves when the next request may be sent. */
  turn(): Promise<void>;
  /** Aborted when the time is over: no tour begins again. */
  over: AbortSignal;
}

/** Limits all users together to `rate` requests a second. Unused capacity does not accumulate. */
export function createPacer(rate: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    nextAt = Math.max(now, nextAt) + 1_000 / rate;
    if (nextAt > now) await delay(nextAt - now);
  };
}

/** The finding is recorded already: the virtual user starts over. */
export class Abandoned extends Error {}

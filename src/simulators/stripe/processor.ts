import type { Logger } from 'pino';
import type { Clock } from '../../core/clock.ts';
import { runNextDue } from './due.ts';
import { type DeliveryMode, inDeliveryOrder, sign } from './events.ts';
import type { Store } from './store.ts';

export interface Processor {
  /** Returns the processor's time in Unix seconds: the service's time plus the offset. */
  now(): Promise<number>;
  /** Moves the clock forward and runs every change that becomes due, each at its own time. */
  advance(seconds: number): Promise<void>;
  /** Runs due changes and retries undelivered events. */
  tick(): Promise<void>;
  /** Sends the undelivered events of a customer. */
  flush(customerId: string): Promise<void>;
  /** Sets how further events are delivered. Leaving `held` sends the held events. */
  setDelivery(mode: DeliveryMode): Promise<void>;
  /** Returns the undelivered events as they would be posted. */
  listUnsent(): Promise<{ id: string; body: string }[]>;
}

interface ProcessorOptions {
  log: Logger;
  clock: Clock;
  store: Store;
  webhookSecret: string;
  send: (body: string, signature: string) => Promise<boolean>;
}

/** Creates the simulator's clock and event delivery. */
export function createProcessor({ log, clock, store, webhookSecret, send }: ProcessorOptions): Processor {
  let mode: DeliveryMode = 'normal';
  const ourSeconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  const now = async (): Promise<number> => ourSeconds() + (await store.getOffsetSeconds());

  async function flush(customerId: string): Promise<void> {
    const state = await store.find(customerId);
    const taken: string[] = [];
    for (const event of inDeliveryOrder(state?.unsent ?? [], mode)) {
      if (await post(event.body)) taken.push(event.id);
    }
    if (taken.length === 0) return;
    await store.update(customerId, (current) => {
      if (!current) throw new Error('the simulator has no such customer');
      return {
        state: { ...current, unsent: current.unsent.filter(({ id }) => !taken.includes(id)) },
        result: undefined,
      };
    });
  }

  async function post(body: string): Promise<boolean> {
    try {
      return await send(body, sign(body, webhookSecret, ourSeconds()));
    } catch (error) {
      log.warn({ err: error }, 'the service did not accept an event of the Stripe simulator');
      return false;
    }
  }

  /** Runs all changes up to `until` in order of time, over all customers. Calls `reach` before each one. */
  async function liveUntil(until: number, reach: (moment: number) => Promise<void>): Promise<void> {
    for (let due = await store.findFirstDue(); due && due.at <= until; due = await store.findFirstDue()) {
      const { id, at } = due;
      await reach(at);
      await store.update(id, (state) => {
        if (!state) throw new Error('the simulator has no such customer');
        runNextDue(state, at);
        return { state, result: undefined };
      });
      await flush(id);
    }
  }

  return {
    now,
    flush,
    advance: async (seconds) => {
      const until = (await now()) + seconds;
      const reach = (moment: number) => store.setOffsetSeconds(moment - ourSeconds());
      const start = await now();
      await liveUntil(until, (moment) => reach(Math.max(moment, start)));
      await reach(until);
    },
    tick: async () => {
      await liveUntil(await now(), async () => undefined);
      for (const id of await store.listUnsent()) await flush(id);
    },
    setDelivery: async (wanted) => {
      mode = wanted;
      for (const id of await store.listUnsent()) await flush(id);
    },
    listUnsent: async () => {
      const states = await Promise.all((await store.listUnsent()).map((id) => store.find(id)));
      return states.flatMap((state) => state?.unsent ?? []);
    },
  };
}

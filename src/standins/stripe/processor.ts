import type { Logger } from 'pino';
import type { Clock } from '../../core/clock.ts';
import { runNextDue } from './due.ts';
import { type DeliveryMode, inDeliveryOrder, sign } from './events.ts';
import type { Store } from './store.ts';

export interface Processor {
  /** The processor's time in Unix seconds: the service's, and as far ahead as it was moved. */
  now(): Promise<number>;
  /** Moves the clock and lets everything happen that falls due on the way, each at its own time. */
  advance(seconds: number): Promise<void>;
  /** Lets happen what is due, and sends what could not be sent. */
  tick(): Promise<void>;
  /** Sends the events of a customer that nobody has taken. */
  flush(customerId: string): Promise<void>;
  /** What the network does to events from now on. Those that were held leave with the change. */
  setDelivery(mode: DeliveryMode): Promise<void>;
  /** The events that wait, as they would be posted. */
  listUnsent(): Promise<{ id: string; body: string }[]>;
}

interface ProcessorOptions {
  log: Logger;
  clock: Clock;
  store: Store;
  webhookSecret: string;
  send: (body: string, signature: string) => Promise<boolean>;
}

/** The stand-in's clock and its post. */
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
      if (!current) throw new Error('a customer of the stand-in is gone');
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
      log.warn({ err: error }, 'the service did not take an event of the Stripe stand-in');
      return false;
    }
  }

  /** Everything up to `until`, first things first over all customers. `reach` is told each moment before it is lived. */
  async function liveUntil(until: number, reach: (moment: number) => Promise<void>): Promise<void> {
    for (let due = await store.findFirstDue(); due && due.at <= until; due = await store.findFirstDue()) {
      const { id, at } = due;
      await reach(at);
      await store.update(id, (state) => {
        if (!state) throw new Error('a customer of the stand-in is gone');
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

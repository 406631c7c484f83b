interface Poll {
  offset: number;
  limit: number;
  timeoutMs: number;
  gone: AbortSignal;
}

interface Queue {
  updates: { update_id: number }[];
  /** Updates with a lower id are confirmed. */
  confirmed: number;
  wake: (() => void) | null;
  /** Ends the waiting poll. Called by a newer poll. */
  supersede: (() => void) | null;
}

/** Returns an id above those of earlier processes, whose updates have been confirmed and handled. */
export const idAtStart = (): number => Date.now();

/** Creates the update queues of all bots. As in Telegram, an update stays until a poll requests a later offset. */
export function createUpdateQueues() {
  const queues = new Map<string, Queue>();
  let lastUpdateId = idAtStart();
  const queueOf = (token: string): Queue => {
    const queue = queues.get(token) ?? { updates: [], confirmed: 0, wake: null, supersede: null };
    queues.set(token, queue);
    return queue;
  };
  const due = ({ updates, confirmed }: Queue, limit: number) =>
    updates.filter(({ update_id: id }) => id >= confirmed).slice(0, limit);

  return {
    push(token: string, update: object) {
      const queue = queueOf(token);
      queue.updates.push({ update_id: ++lastUpdateId, ...update });
      queue.wake?.();
    },
    rewind(token: string) {
      const queue = queueOf(token);
      queue.confirmed = 0;
      queue.updates = queue.updates.map((update) => ({ ...update, update_id: ++lastUpdateId }));
      queue.wake?.();
    },
    waiting: () => [...queues.values()].filter(({ wake }) => wake !== null).length,
    async poll(token: string, { offset, limit, timeoutMs, gone }: Poll) {
      const queue = queueOf(token);
      queue.supersede?.();
      queue.confirmed = Math.max(queue.confirmed, offset);
      const now = due(queue, limit);
      if (now.length > 0 || timeoutMs === 0) return now;
      const end = Promise.withResolvers<'conflict' | null>();
      const wake = () => end.resolve(null);
      const supersede = () => end.resolve('conflict');
      const timer = setTimeout(wake, timeoutMs);
      Object.assign(queue, { wake, supersede });
      gone.addEventListener('abort', wake, { once: true });
      const outcome = await end.promise;
      clearTimeout(timer);
      if (queue.wake === wake) Object.assign(queue, { wake: null, supersede: null });
      return outcome ?? due(queue, limit);
    },
  };
}

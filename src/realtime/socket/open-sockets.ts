import type { UserActor } from '../../core/actor.ts';
import type { Catalog } from '../../core/catalog.ts';
import type { AccountSockets } from './account-sockets.ts';
import type { Wire } from './wire.ts';

/** Maximum number of connections per address whose credential is not verified yet. */
const maxUnverified = 20;
const checkMs = 1_000;

/** A connection to `/v1/socket` or to the GraphQL socket. */
export interface OpenSocket {
  wire: Wire;
  /**
   * Closes the connection when its credential has expired or did not arrive in time. Called every second, so that
   * connections need no timers.
   */
  check: (now: Date, nowMs: number) => void;
  /** Tells the client to reconnect, and closes the connection. */
  goAway: () => void;
}

/** The open connections of this process. */
export interface OpenSockets {
  readonly count: number;
  /** Counts an unverified connection until `settle`. Returns false when its address has too many. */
  admit(network: string): boolean;
  /** Ends the count of an unverified connection, after it was verified or closed. */
  settle(network: string): void;
  /** Counts a connection of an account. Returns false when the plan's limit over all instances is reached. */
  join(actor: UserActor): Promise<boolean>;
  leave(userId: string): void;
  add(socket: OpenSocket): () => void;
  /** Tells all clients to reconnect, and disconnects those that do not. */
  close(): Promise<void>;
}

interface OpenSocketsOptions {
  catalog: Catalog;
  accounts: AccountSockets;
  now: () => Date;
  isDraining: () => boolean;
}

const leaveMs = 2_000;

export function createOpenSockets({ catalog, accounts, now, isDraining }: OpenSocketsOptions): OpenSockets {
  const sockets = new Set<OpenSocket>();
  const unverified = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isSentAway = false;

  const sendAway = (): void => {
    isSentAway = true;
    for (const socket of sockets) socket.goAway();
  };

  function check(): void {
    if (isDraining() && !isSentAway) sendAway();
    const [atTime, nowMs] = [now(), performance.now()];
    for (const socket of sockets) {
      socket.check(atTime, nowMs);
      socket.wire.check(nowMs);
    }
    if (sockets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get count() {
      return sockets.size;
    },
    admit: (network) => count(unverified, network, maxUnverified),
    settle: (network) => decrement(unverified, network),
    join: ({ userId, plan }) => accounts.join(userId, catalog.planLimits.socketConnections[plan]),
    leave: (userId) => accounts.leave(userId),
    add(socket) {
      sockets.add(socket);
      // After the frames that arrived meanwhile: a frozen process looks at its timers before it reads from its sockets.
      timer ??= setInterval(() => setImmediate(check), checkMs).unref();
      return () => void sockets.delete(socket);
    },
    async close() {
      sendAway();
      const deadlineMs = performance.now() + leaveMs;
      while (sockets.size > 0 && performance.now() < deadlineMs)
        await new Promise((resolve) => setTimeout(resolve, 20));
      accounts.close();
      for (const { wire } of sockets) wire.terminate();
      clearInterval(timer);
    },
  };
}

function count(counts: Map<string, number>, key: string, limit: number): boolean {
  const open = counts.get(key) ?? 0;
  if (open >= limit) return false;
  counts.set(key, open + 1);
  return true;
}

function decrement(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

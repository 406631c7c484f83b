import { CapacityTotals } from './capacity-totals.ts';
import { EndpointCapacity } from './endpoint-capacity.ts';

/** Idle time after which an endpoint is evicted from memory. */
const evictAfterMs = 300_000;

/** The number of deliveries of an endpoint that may be claimed. */
export interface Share<Item> {
  endpoint: EndpointCapacity<Item>;
  free: number;
}

/**
 * Limits the deliveries that this process holds for each endpoint, so that a slow or unreachable endpoint does not use
 * up the capacity of others.
 */
export interface DispatchCapacity<Item> {
  readonly totals: CapacityTotals;
  /** Returns the endpoint, which is created without history if it is unknown. */
  endpoint(webhookId: string, accountId: string): EndpointCapacity<Item>;
  all(): Iterable<EndpointCapacity<Item>>;
  withHistory(): EndpointCapacity<Item>[];
  /**
   * Excludes an endpoint from `ready` until `unblock`, because other processes hold everything that it may be sent now.
   */
  block(endpoint: EndpointCapacity<Item>): void;
  /** Unblocks the endpoint, or all endpoints if omitted. */
  unblock(endpoint?: EndpointCapacity<Item>): void;
  /**
   * Returns the endpoints with a backlog and free capacity. Endpoints with an unrecorded failure are left out until it
   * is recorded.
   */
  ready(): EndpointCapacity<Item>[];
  /**
   * Distributes the free capacity round robin among endpoints, longest idle first. Endpoints without a share are left
   * out.
   */
  share(endpoints: readonly EndpointCapacity<Item>[]): Share<Item>[];
  evictIdle(): void;
}

export function createDispatchCapacity<Item>(): DispatchCapacity<Item> {
  const totals = new CapacityTotals();
  const endpoints = new Map<string, EndpointCapacity<Item>>();
  const blocked = new Set<EndpointCapacity<Item>>();
  return {
    totals,
    endpoint: (webhookId, accountId) => {
      const known = endpoints.get(webhookId) ?? new EndpointCapacity<Item>(webhookId, accountId, totals);
      endpoints.set(webhookId, known);
      return known;
    },
    all: () => endpoints.values(),
    withHistory: () => [...endpoints.values()].filter((endpoint) => endpoint.hasHistory),
    block: (endpoint) => void blocked.add(endpoint),
    unblock: (endpoint) => {
      if (endpoint) blocked.delete(endpoint);
      else blocked.clear();
    },
    ready: () =>
      [...endpoints.values()].filter(
        (endpoint) =>
          endpoint.hasBacklog && !endpoint.hasUnrecordedFailures && !blocked.has(endpoint) && endpoint.free > 0,
      ),
    share: (waiting) => shareRoundRobin(waiting, totals),
    evictIdle: () => {
      const before = performance.now() - evictAfterMs;
      for (const [id, endpoint] of endpoints)
        if (endpoint.held === 0 && !endpoint.hasBacklog && endpoint.usedAtMs < before) endpoints.delete(id);
    },
  };
}

function shareRoundRobin<Item>(waiting: readonly EndpointCapacity<Item>[], totals: CapacityTotals): Share<Item>[] {
  let { free, suspectFree } = totals;
  const accountFree = new Map(waiting.map(({ accountId }) => [accountId, totals.accountFree(accountId)]));
  const shares = waiting
    .toSorted((a, b) => a.usedAtMs - b.usedAtMs)
    .map((endpoint) => ({ endpoint, free: 0, max: endpoint.free }));
  for (let hasGiven = true; hasGiven;) {
    hasGiven = false;
    for (const share of shares) {
      const { accountId, isSuspect } = share.endpoint;
      const ofAccount = accountFree.get(accountId) ?? 0;
      if (share.free >= share.max || free <= 0 || ofAccount <= 0 || (isSuspect && suspectFree <= 0)) continue;
      share.free++;
      free--;
      if (isSuspect) suspectFree--;
      accountFree.set(accountId, ofAccount - 1);
      hasGiven = true;
    }
  }
  return shares.filter((share) => share.free > 0);
}

import { CapacityTotals } from './capacity-totals.ts';
import { EndpointCapacity } from './endpoint-capacity.ts';

/** After this an idle endpoint is removed from memory. */
const evictAfterMs = 300_000;

/** How many deliveries of an endpoint may be claimed. */
export interface Share<Item> {
  endpoint: EndpointCapacity<Item>;
  free: number;
}

/**
 * How many deliveries this process may hold for which endpoint: bounded, and such that a slow or dead endpoint takes
 * nothing from the others.
 */
export interface DispatchCapacity<Item> {
  readonly totals: CapacityTotals;
  /** The endpoint, with its history if it has one. */
  endpoint(webhookId: string, accountId: string): EndpointCapacity<Item>;
  all(): Iterable<EndpointCapacity<Item>>;
  withHistory(): EndpointCapacity<Item>[];
  /** Other processes hold all that the endpoint may be sent now: it is not ready until `unblock`. */
  block(endpoint: EndpointCapacity<Item>): void;
  /** All endpoints when none is given. */
  unblock(endpoint?: EndpointCapacity<Item>): void;
  /** Endpoints with a backlog and free capacity. One with an unrecorded failure has to wait until it is recorded. */
  ready(): EndpointCapacity<Item>[];
  /** Shares what is free round robin among the endpoints, those that waited longest first. Leaves out those that get none. */
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

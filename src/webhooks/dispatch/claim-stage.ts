import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../core/ctx.ts';
import { type BurstPace, maxEventsPerFanOut, patienceMs } from './burst-pace.ts';
import { claimExactly, claimFreely, type ClaimReport, findDueEndpoints } from './claim-due.ts';
import { peekWork } from './peek-work.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { DispatchCapacity, Share } from './dispatch-capacity.ts';
import { DueMark } from './due-mark.ts';
import type { EndpointCapacity } from './endpoint-capacity.ts';
import { createQueueMark } from './queue-mark.ts';
import { adoptEvents, fanOutEvents, type FanOutResult } from './fan-out.ts';

type Endpoint = EndpointCapacity<ClaimedDelivery>;

/** Claims deliveries as capacity allows: those of new events, and due deliveries of endpoints with a backlog. */
export interface ClaimStage {
  /** Notes that the outbox may have new events. */
  noteEvents(): void;
  /** Notes that deliveries may be due. */
  noteDue(): void;
  /**
   * Checks for events and due deliveries at a fraction of the cost of claiming them. Returns the milliseconds until the
   * next delivery is due, 0 or less if one is due now, or null if none is pending.
   */
  findWork(): Promise<number | null>;
  hasWork(): boolean;
  /**
   * Claims until `hasWork` is false or `isStopped` returns true. Not reentrant: concurrent claims would exceed the
   * capacity.
   */
  claimAll(isStopped: () => boolean): Promise<void>;
}

interface ClaimStageOptions {
  newCtx: () => Ctx;
  leaseMs: number;
  capacity: DispatchCapacity<ClaimedDelivery>;
  pace: BurstPace;
  /** Receives deliveries claimed by a statement that began at `sinceMs`, a time from `performance.now()`. */
  onClaimed: (claimed: readonly ClaimedDelivery[], sinceMs: number) => void;
  onFailures: (endpoint: Endpoint, failures: number) => void;
  /** Requests another run of `claimAll`. */
  onWaiting: () => void;
}

const endpointsPerPage = 5_000;

export function createClaimStage(options: ClaimStageOptions): ClaimStage {
  const { newCtx, leaseMs, capacity, pace, onClaimed, onFailures, onWaiting } = options;
  const { retryDelaysSeconds } = newCtx().config.webhooks;
  let hasEvents = false;
  let hasDue = false;
  let lastPageEnd = '';
  const queueMark = createQueueMark();
  const dueMark = new DueMark();

  const maxEvents = () => (hasEvents && capacity.totals.free > 0 ? pace.maxEvents() : 0);

  const lease = () => ({ leaseToken: randomUUID(), leaseMs });

  async function claimNewEvents(limit: number): Promise<void> {
    hasEvents = false;
    try {
      const result = await fanOut(limit, null);
      const touched = [...result.claimed, ...result.unclaimed];
      pace.note(limit, result, new Set(touched.map((one) => capacity.endpoint(one.webhookId, one.accountId))));
      const adopted = result.taken === 0 ? await adoptEvents(newCtx().sql, maxEventsPerFanOut) : [];
      if (adopted.length > 0) queueMark.include(Math.min(...adopted));
      if (result.taken === limit || adopted.length > 0) hasEvents = true;
      if (hasEvents) setTimeout(onWaiting, patienceMs).unref();
    } catch (error) {
      hasEvents = true;
      throw error;
    }
  }

  /** Takes the newest events of other accounts while a burst fills the queue. */
  async function claimBesideBurst(): Promise<void> {
    const skippedAccounts = capacity.totals.free > 0 ? pace.accountsToSkip() : null;
    if (!skippedAccounts) return;
    const { taken } = await fanOut(maxEventsPerFanOut, skippedAccounts);
    if (taken === maxEventsPerFanOut) pace.noteNewEvents();
  }

  async function fanOut(limit: number, skippedAccounts: readonly string[] | null): Promise<FanOutResult> {
    const sinceMs = performance.now();
    const { sql } = newCtx();
    const result = await fanOutEvents(sql, {
      ...lease(),
      from: await queueMark.read(sql),
      maxEvents: limit,
      // An endpoint with a backlog gets no new deliveries directly, so that older ones are sent first.
      endpoints: capacity.withHistory().map((endpoint) => ({
        id: endpoint.webhookId,
        free: endpoint.hasBacklog || endpoint.isFailing ? 0 : endpoint.free,
      })),
      accounts: capacity.totals.busyAccounts(),
      totalFree: capacity.totals.free,
      skippedAccounts,
    });
    queueMark.noteTaken(result.taken);
    for (const { webhookId, accountId, consecutiveFailures } of result.unclaimed) {
      const endpoint = capacity.endpoint(webhookId, accountId);
      endpoint.noteBacklog();
      if (consecutiveFailures > 0) onFailures(endpoint, consecutiveFailures);
    }
    onClaimed(result.claimed, sinceMs);
    return result;
  }

  async function claimBacklog(ready: readonly Endpoint[]): Promise<void> {
    const shares = capacity.share(ready);
    await claimShares(
      shares.filter(({ endpoint }) => !endpoint.isFailing),
      'freely',
    );
    await claimShares(
      shares.filter(({ endpoint }) => endpoint.isFailing),
      'exactly',
    );
  }

  async function claimShares(shares: readonly Share<ClaimedDelivery>[], how: 'freely' | 'exactly'): Promise<void> {
    if (shares.length === 0) return;
    const sinceMs = performance.now();
    const ctx = newCtx();
    const request = {
      ...lease(),
      endpoints: shares.map(({ endpoint, free }) => ({
        id: endpoint.webhookId,
        free,
        pendingFrom: endpoint.dueMark.read(),
      })),
      maxAttempts: retryDelaysSeconds.length + 1,
    };
    const { claimed, reports } = await (how === 'exactly' ? claimExactly(ctx, request) : claimFreely(ctx.sql, request));
    for (const share of shares) noteReport(share, reports.get(share.endpoint.webhookId), how, sinceMs);
    onClaimed(claimed, sinceMs);
  }

  function noteReport(
    { endpoint, free }: Share<ClaimedDelivery>,
    report: ClaimReport | undefined,
    how: 'freely' | 'exactly',
    sinceMs: number,
  ): void {
    if (report) endpoint.dueMark.note(report.pendingFrom);
    if (!report || report.found < report.capacity) endpoint.clearBacklog();
    else if (how === 'exactly' && report.capacity < free) capacity.block(endpoint);
    // A report of 0 failures does not override a failure that happened after the claim began.
    if (report && (report.consecutiveFailures > 0 || !endpoint.hasFailedSince(sinceMs)))
      onFailures(endpoint, report.consecutiveFailures);
  }

  async function findBacklogs(): Promise<void> {
    hasDue = false;
    const search = { after: lastPageEnd, limit: endpointsPerPage, from: dueMark.read() };
    const { endpoints, pendingFrom } = await findDueEndpoints(newCtx().sql, search);
    dueMark.note(pendingFrom);
    lastPageEnd = endpoints.length === endpointsPerPage ? (endpoints.at(-1)?.webhookId ?? '') : '';
    for (const { webhookId, accountId, due } of endpoints)
      if (due) capacity.endpoint(webhookId, accountId).noteBacklog();
  }

  async function findWork(): Promise<number | null> {
    const work = await peekWork(newCtx().sql, { dueFrom: dueMark.peek(), queueFrom: queueMark.peek() });
    // Once a minute the marks are ignored, to find rows that were committed late.
    if (work.hasEvents || dueMark.isStale) noteEvents();
    if ((work.dueInMs !== null && work.dueInMs <= 0) || dueMark.isStale) hasDue = true;
    return work.dueInMs;
  }

  function noteEvents(): void {
    hasEvents = true;
    pace.noteNewEvents();
  }

  const hasWork = () => maxEvents() > 0 || hasDue || capacity.ready().length > 0;

  return {
    noteEvents,
    noteDue: () => {
      hasDue = true;
    },
    findWork,
    hasWork,
    claimAll: async (isStopped) => {
      while (!isStopped()) {
        await claimBesideBurst();
        const limit = maxEvents();
        if (limit > 0) await claimNewEvents(limit);
        if (hasDue) await findBacklogs();
        const ready = capacity.ready();
        if (ready.length > 0) await claimBacklog(ready);
        else if (limit === 0 && !hasDue) return;
      }
    },
  };
}

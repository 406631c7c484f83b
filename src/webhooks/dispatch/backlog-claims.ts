import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../core/ctx.ts';
import { claimExactly, claimFreely, type ClaimReport, findDueEndpoints } from './claim-due.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { DispatchCapacity, Share } from './dispatch-capacity.ts';
import { DueMark } from './due-mark.ts';
import type { EndpointCapacity } from './endpoint-capacity.ts';

type Endpoint = EndpointCapacity<ClaimedDelivery>;

/** Claims due deliveries of endpoints with a backlog. */
export interface BacklogClaims {
  /** Notes that deliveries may be due. */
  noteDue(): void;
  hasDue(): boolean;
  /** Time before which no delivery is pending. `isStale` once a minute, when everything has to be searched. */
  readonly dueMark: Pick<DueMark, 'peek' | 'isStale'>;
  /** Notes the backlogs of endpoints with due deliveries. */
  findBacklogs(): Promise<void>;
  /** Claims deliveries of the endpoints as their capacity allows. */
  claim(ready: readonly Endpoint[]): Promise<void>;
}

/** Options of both kinds of claims. */
export interface ClaimOptions {
  newCtx: () => Ctx;
  leaseMs: number;
  capacity: DispatchCapacity<ClaimedDelivery>;
  /** Receives deliveries claimed by a statement that began at `sinceMs`, a time from `performance.now()`. */
  onClaimed: (claimed: readonly ClaimedDelivery[], sinceMs: number) => void;
  onFailures: (endpoint: Endpoint, failures: number) => void;
}

const endpointsPerPage = 5_000;

export function createBacklogClaims(options: ClaimOptions): BacklogClaims {
  const { newCtx, leaseMs, capacity, onClaimed, onFailures } = options;
  const { retryDelaysSeconds } = newCtx().config.webhooks;
  const dueMark = new DueMark();
  let hasDue = false;
  let lastPageEnd = '';

  async function claimShares(shares: readonly Share<ClaimedDelivery>[], how: 'freely' | 'exactly'): Promise<void> {
    if (shares.length === 0) return;
    const sinceMs = performance.now();
    const ctx = newCtx();
    const request = {
      leaseToken: randomUUID(),
      leaseMs,
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

  return {
    dueMark,
    noteDue: () => {
      hasDue = true;
    },
    hasDue: () => hasDue,
    findBacklogs: async () => {
      hasDue = false;
      const search = { after: lastPageEnd, limit: endpointsPerPage, from: dueMark.read() };
      const { endpoints, pendingFrom } = await findDueEndpoints(newCtx().sql, search);
      dueMark.note(pendingFrom);
      lastPageEnd = endpoints.length === endpointsPerPage ? (endpoints.at(-1)?.webhookId ?? '') : '';
      for (const { webhookId, accountId, due } of endpoints)
        if (due) capacity.endpoint(webhookId, accountId).noteBacklog();
    },
    claim: async (ready) => {
      const shares = capacity.share(ready);
      await claimShares(
        shares.filter(({ endpoint }) => !endpoint.isFailing),
        'freely',
      );
      await claimShares(
        shares.filter(({ endpoint }) => endpoint.isFailing),
        'exactly',
      );
    },
  };
}

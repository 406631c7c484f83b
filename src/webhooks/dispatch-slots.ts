/** At a time in one process: in all, for one account and for one endpoint. */
const maxTotal = 512;
export const maxPerAccount = 192;
export const maxPerEndpoint = 64;
/** For an endpoint of which nothing is known yet. */
export const initialWindow = 8;
const smallestWindow = 4;
/** Endpoints that fail may not hold more than this between them, so that there is always room for the others. */
const maxSuspect = 256;
const forgetAfterMs = 300_000;
/** An idle endpoint is treated like a new one after this. */
const rememberWindowMs = 2_000;

/** What the dispatcher remembers of an endpoint. */
export interface EndpointSlots {
  webhookId: string;
  accountId: string;
  inFlight: number;
  /** How many may be in flight: grows with each success, shrinks with each failure. */
  window: number;
  /** Its last attempt failed. */
  suspect: boolean;
  /** As far as this process knows. The one that disables the webhook is never passed by a crowd in flight. */
  failuresLeft: number;
  /** It may have due rows in the table. */
  backlog: boolean;
  usedAt: number;
}

/** Who may send how much: bounded, and such that a slow or dead endpoint takes nothing from the others. */
export interface DispatchSlots {
  endpoint(webhookId: string, accountId: string): EndpointSlots;
  take(webhookId: string, accountId: string, failuresLeft: number): void;
  release(webhookId: string, succeeded: boolean | null, failuresLeft: number): void;
  /** How many more this endpoint may have in flight. */
  free(endpoint: EndpointSlots): number;
  totalFree(): number;
  accountFree(accountId: string): number;
  inFlight(): number;
  /** Endpoints that must not be treated like new ones. */
  known(): EndpointSlots[];
  /** Endpoints with due rows and room for at least one. */
  ready(): EndpointSlots[];
  busyAccounts(): { id: string; free: number }[];
  forgetIdle(): void;
}

export function createDispatchSlots(maxFailures: number): DispatchSlots {
  const endpoints = new Map<string, EndpointSlots>();
  const accounts = new Map<string, number>();
  let total = 0;
  let suspectTotal = 0;

  const endpoint = (webhookId: string, accountId: string): EndpointSlots => {
    let known = endpoints.get(webhookId);
    if (!known) {
      known = {
        webhookId,
        accountId,
        inFlight: 0,
        window: initialWindow,
        suspect: false,
        failuresLeft: maxFailures,
        backlog: false,
        usedAt: performance.now(),
      };
      endpoints.set(webhookId, known);
    }
    return known;
  };
  const accountFree = (accountId: string) => maxPerAccount - (accounts.get(accountId) ?? 0);
  const free = (known: EndpointSlots): number => {
    // At least one: what another process or the owner did meanwhile is learned by claiming.
    const own = Math.min(known.window, Math.max(known.failuresLeft, 1)) - known.inFlight;
    const shared = known.suspect ? maxSuspect - suspectTotal : maxTotal - total;
    return Math.max(0, Math.min(own, shared, accountFree(known.accountId), maxTotal - total));
  };
  const setSuspect = (known: EndpointSlots, suspect: boolean) => {
    if (known.suspect === suspect) return;
    known.suspect = suspect;
    suspectTotal += suspect ? known.inFlight : -known.inFlight;
  };

  return {
    endpoint,
    free,
    accountFree,
    take: (webhookId, accountId, failuresLeft) => {
      const known = endpoint(webhookId, accountId);
      known.inFlight++;
      known.failuresLeft = known.inFlight > 1 ? Math.min(known.failuresLeft, failuresLeft) : failuresLeft;
      known.usedAt = performance.now();
      total++;
      if (known.suspect) suspectTotal++;
      accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1);
    },
    release: (webhookId, succeeded, failuresLeft) => {
      const known = endpoints.get(webhookId);
      if (!known) return;
      known.inFlight--;
      known.failuresLeft = failuresLeft;
      total--;
      if (known.suspect) suspectTotal--;
      const left = (accounts.get(known.accountId) ?? 1) - 1;
      if (left > 0) accounts.set(known.accountId, left);
      else accounts.delete(known.accountId);
      if (succeeded === true) known.window = Math.min(maxPerEndpoint, known.window + 1);
      if (succeeded === false) known.window = Math.max(smallestWindow, known.window >> 1);
      if (succeeded !== null) setSuspect(known, !succeeded);
    },
    totalFree: () => maxTotal - total,
    inFlight: () => total,
    known: () => {
      const since = performance.now() - rememberWindowMs;
      return [...endpoints.values()].filter(
        (known) => known.backlog || known.inFlight > 0 || known.window < initialWindow || known.usedAt > since,
      );
    },
    ready: () => [...endpoints.values()].filter((known) => known.backlog && free(known) > 0),
    busyAccounts: () => [...accounts].map(([id, used]) => ({ id, free: maxPerAccount - used })),
    forgetIdle: () => {
      const before = performance.now() - forgetAfterMs;
      for (const [id, known] of endpoints)
        if (known.inFlight === 0 && !known.backlog && known.usedAt < before) endpoints.delete(id);
    },
  };
}

/**
 * What one process may hold at a time: in all, for one account, and for all endpoints that fail together. Each is a
 * connection and its memory; with answers after 100 ms it is twice of what a processor can send.
 */
export const maxTotal = 512;
export const maxPerAccount = 192;
export const maxSuspect = 128;
/** POSTs to one endpoint at a time, at most. As many again may wait for their outcome to be written. */
const largestWindow = 32;
const smallestWindow = 4;
/** For an endpoint of which nothing is known yet. */
export const initialRoom = 8;
/** Claimed ahead for an endpoint that keeps up, so that it never waits for a claim: as many as it answers in `aheadMs`, at most. */
const aheadPerEndpoint = 128;
const aheadMs = 1_000;
/** How much the newest answer weighs in what is known of the time that an endpoint takes. */
const newestWeight = 0.2;
/** What is held beyond what may be is given back only when it is so much: not for each answer that took longer. */
const slackOfHeld = 1.5;
const forgetAfterMs = 300_000;
/** An idle endpoint is treated like a new one after this. */
const rememberWindowMs = 2_000;

/** What the dispatcher remembers of an endpoint, and what it holds of it. */
export interface EndpointRoom<Item> {
  webhookId: string;
  accountId: string;
  /** Claimed and not sent yet. */
  waiting: Item[];
  inFlight: number;
  /** Answered, but the outcome is not written yet. */
  unwritten: number;
  /** How many answers it has given. */
  answered: number;
  /** How long it takes for one, lately. */
  answerMs: number;
  /** How many may be in flight: grows with each success, shrinks with each failure. */
  window: number;
  /** Its last attempt failed. */
  suspect: boolean;
  /** In a row, as the database last said. */
  failures: number;
  /** Failed answers that the database does not know of yet. */
  unwrittenFailures: number;
  /** When it failed last, of `performance.now()`. */
  failedAt: number;
  /** It may have due rows in the table. */
  backlog: boolean;
  usedAt: number;
}

/** Who may hold how much: bounded, and such that a slow or dead endpoint takes nothing from the others. */
export interface DispatchRoom<Item> {
  endpoint(webhookId: string, accountId: string): EndpointRoom<Item>;
  /** Takes a claimed item; it waits until `next` hands it out. */
  hold(endpoint: EndpointRoom<Item>, item: Item): void;
  /** The next one that may be sent now. */
  next(endpoint: EndpointRoom<Item>): Item | undefined;
  /** The POST has ended after so long, well (true), badly (false), or without saying anything about the endpoint (null). */
  answered(endpoint: EndpointRoom<Item>, succeeded: boolean | null, durationMs: number | null): void;
  /** Its outcome, which was this, is written or given up. */
  written(endpoint: EndpointRoom<Item>, succeeded: boolean | null): void;
  /** Everything of this endpoint that was not sent yet: no longer held. */
  dropWaiting(endpoint: EndpointRoom<Item>): Item[];
  /** What is not sent yet and more than its endpoint may hold since it is slow: no longer held. */
  dropExcess(endpoint: EndpointRoom<Item>): Item[];
  /** How many more of this endpoint may be claimed. */
  free(endpoint: EndpointRoom<Item>): number;
  totalFree(): number;
  /** In flight or unwritten. */
  sent(): number;
  all(): Iterable<EndpointRoom<Item>>;
  /** Endpoints that must not be treated like new ones. */
  known(): EndpointRoom<Item>[];
  /** Others hold all that it may be sent now: it is not ready until `unblock`. */
  block(endpoint: EndpointRoom<Item>): void;
  /** All of them when none is named. */
  unblock(endpoint?: EndpointRoom<Item>): void;
  /** Endpoints with due rows and room for at least one. One whose failure is not written yet has to wait for that. */
  ready(): EndpointRoom<Item>[];
  /** How many more of each may be claimed together, in turns, whoever waits longest first. Those that get none are left out. */
  share(endpoints: readonly EndpointRoom<Item>[]): Share<Item>[];
  busyAccounts(): { id: string; free: number }[];
  forgetIdle(): void;
}

export interface Share<Item> {
  known: EndpointRoom<Item>;
  free: number;
}

/** It has failed since its last success, as far as this process knows: what it is sent is claimed exactly. */
export const isFailing = ({ failures, unwrittenFailures }: EndpointRoom<unknown>): boolean =>
  failures > 0 || unwrittenFailures > 0;

export function createDispatchRoom<Item>(): DispatchRoom<Item> {
  const endpoints = new Map<string, EndpointRoom<Item>>();
  const blocked = new Set<EndpointRoom<Item>>();
  const accounts = new Map<string, number>();
  let total = 0;
  let suspectTotal = 0;
  let sent = 0;

  const heldOf = (known: EndpointRoom<Item>) => known.waiting.length + known.inFlight + known.unwritten;

  const endpoint = (webhookId: string, accountId: string): EndpointRoom<Item> => {
    let known = endpoints.get(webhookId);
    if (!known) {
      known = {
        webhookId,
        accountId,
        waiting: [],
        inFlight: 0,
        unwritten: 0,
        answered: 0,
        answerMs: 0,
        window: initialRoom,
        suspect: false,
        failures: 0,
        unwrittenFailures: 0,
        failedAt: -1,
        backlog: false,
        usedAt: performance.now(),
      };
      endpoints.set(webhookId, known);
    }
    return known;
  };

  const free = (known: EndpointRoom<Item>): number => {
    const allowed = allowedToHold(known) - heldOf(known);
    const shared = known.suspect ? maxSuspect - suspectTotal : maxTotal - total;
    const accountFree = maxPerAccount - (accounts.get(known.accountId) ?? 0);
    return Math.max(0, Math.min(allowed, shared, accountFree, maxTotal - total));
  };

  const drop = (known: EndpointRoom<Item>, count: number) => {
    total -= count;
    if (known.suspect) suspectTotal -= count;
    const left = (accounts.get(known.accountId) ?? 0) - count;
    if (left > 0) accounts.set(known.accountId, left);
    else accounts.delete(known.accountId);
  };

  return {
    endpoint,
    free,
    hold: (known, item) => {
      known.waiting.push(item);
      known.usedAt = performance.now();
      total++;
      if (known.suspect) suspectTotal++;
      accounts.set(known.accountId, (accounts.get(known.accountId) ?? 0) + 1);
    },
    next: (known) => {
      const { inFlight, unwritten, window } = known;
      if (inFlight >= window || inFlight + unwritten >= 2 * window) return undefined;
      const item = known.waiting.shift();
      if (item === undefined) return undefined;
      known.inFlight++;
      sent++;
      return item;
    },
    answered: (known, succeeded, durationMs) => {
      known.inFlight--;
      known.unwritten++;
      known.answered++;
      if (durationMs !== null) known.answerMs += (durationMs - known.answerMs) * newestWeight;
      if (succeeded === null) return;
      if (!succeeded) {
        known.unwrittenFailures++;
        known.failedAt = performance.now();
      }
      known.window = succeeded
        ? Math.min(largestWindow, known.window + 1)
        : Math.max(smallestWindow, Math.floor(known.window / 2));
      if (known.suspect === succeeded) suspectTotal += succeeded ? -heldOf(known) : heldOf(known);
      known.suspect = !succeeded;
    },
    written: (known, succeeded) => {
      known.unwritten--;
      if (succeeded === false) known.unwrittenFailures--;
      sent--;
      drop(known, 1);
    },
    dropWaiting: (known) => {
      const items = known.waiting.splice(0);
      drop(known, items.length);
      return items;
    },
    dropExcess: (known) => {
      const [held, allowed] = [heldOf(known), allowedToHold(known)];
      const items = held > allowed * slackOfHeld ? known.waiting.splice(allowed - held) : [];
      drop(known, items.length);
      return items;
    },
    totalFree: () => maxTotal - total,
    sent: () => sent,
    all: () => endpoints.values(),
    known: () => {
      const since = performance.now() - rememberWindowMs;
      return [...endpoints.values()].filter(
        (known) =>
          known.backlog || isFailing(known) || heldOf(known) > 0 || known.window < initialRoom || known.usedAt > since,
      );
    },
    block: (known) => void blocked.add(known),
    unblock: (known) => {
      if (known) blocked.delete(known);
      else blocked.clear();
    },
    ready: () =>
      [...endpoints.values()].filter(
        (known) => known.backlog && known.unwrittenFailures === 0 && !blocked.has(known) && free(known) > 0,
      ),
    share: (wanting) => {
      let left = maxTotal - total;
      let suspectLeft = maxSuspect - suspectTotal;
      const accountLeft = new Map(
        wanting.map(({ accountId }) => [accountId, maxPerAccount - (accounts.get(accountId) ?? 0)]),
      );
      const shares = wanting
        .toSorted((a, b) => a.usedAt - b.usedAt)
        .map((known) => ({ known, free: 0, most: free(known) }));
      for (let given = true; given;) {
        given = false;
        for (const share of shares) {
          const { accountId, suspect } = share.known;
          const ofAccount = accountLeft.get(accountId) ?? 0;
          if (share.free >= share.most || left <= 0 || ofAccount <= 0 || (suspect && suspectLeft <= 0)) continue;
          share.free++;
          left--;
          if (suspect) suspectLeft--;
          accountLeft.set(accountId, ofAccount - 1);
          given = true;
        }
      }
      return shares.filter((share) => share.free > 0);
    },
    busyAccounts: () => [...accounts].map(([id, held]) => ({ id, free: maxPerAccount - held })),
    forgetIdle: () => {
      const before = performance.now() - forgetAfterMs;
      for (const [id, known] of endpoints)
        if (heldOf(known) === 0 && !known.backlog && known.usedAt < before) endpoints.delete(id);
    },
  };
}

const allowedToHold = ({ window, suspect, answerMs }: EndpointRoom<unknown>): number =>
  suspect || window < largestWindow
    ? window
    : 2 * window + Math.min(aheadPerEndpoint, Math.floor((window * aheadMs) / Math.max(answerMs, 1)));

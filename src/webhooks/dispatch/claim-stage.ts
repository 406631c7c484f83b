import { createBacklogClaims } from './backlog-claims.ts';
import { createEventClaims, type EventClaimsOptions } from './event-claims.ts';
import { peekWork } from './peek-work.ts';

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

/** Creates a claim stage. `onWaiting` requests another run of `claimAll`. */
export function createClaimStage(options: EventClaimsOptions): ClaimStage {
  const { newCtx, capacity } = options;
  const events = createEventClaims(options);
  const backlog = createBacklogClaims(options);
  return {
    noteEvents: () => events.noteEvents(),
    noteDue: () => backlog.noteDue(),
    findWork: async () => {
      const { dueMark } = backlog;
      const work = await peekWork(newCtx().sql, { dueFrom: dueMark.peek(), queueFrom: events.queueFrom() });
      // Once a minute the marks are ignored, to find rows that were committed late.
      if (work.hasEvents || dueMark.isStale) events.noteEvents();
      if ((work.dueInMs !== null && work.dueInMs <= 0) || dueMark.isStale) backlog.noteDue();
      return work.dueInMs;
    },
    hasWork: () => events.maxEvents() > 0 || backlog.hasDue() || capacity.ready().length > 0,
    claimAll: async (isStopped) => {
      while (!isStopped()) {
        await events.claimBesideBurst();
        const limit = events.maxEvents();
        if (limit > 0) await events.claim(limit);
        if (backlog.hasDue()) await backlog.findBacklogs();
        const ready = capacity.ready();
        if (ready.length > 0) await backlog.claim(ready);
        else if (limit === 0 && !backlog.hasDue()) return;
      }
    },
  };
}

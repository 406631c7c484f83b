import { InMemoryNotificationChannel, type JobRepository, type NotificationChannel, toJobId } from 'agenda';
import { createDuePoll, type DuePoll } from '../src/core/waiting/due-poll.ts';

/** Queries on the store in addition to Agenda's own statements. Both consider only runs of the given kinds. */
export interface ScheduleTimes {
  /**
   * Returns when the next run can be locked: at its scheduled time, or when the lock of a dead process expires. Null
   * when there is none.
   */
  nextAt(kinds: readonly string[], lockMs: number): Promise<Date | null>;
  /** Returns the kinds that have a run to lock at `now`, according to Agenda's own condition. */
  dueKinds(kinds: readonly string[], now: Date, lockMs: number): Promise<string[]>;
}

/** Lets Agenda sleep until the next scheduled run instead of polling for each kind. */
export interface AgendaAlarm extends DuePoll {
  /** Channel that notifies Agenda of due kinds. */
  channel: NotificationChannel;
  /** Repository that answers Agenda's reads from memory while nothing is due. */
  repository: JobRepository;
}

interface AlarmOptions {
  times: ScheduleTimes;
  repository: JobRepository;
  kinds: readonly string[];
  lockMs: number;
  onError: (error: unknown) => void;
}

export function createAgendaAlarm({ times, repository, kinds, lockMs, onError }: AlarmOptions): AgendaAlarm {
  const due = new Set<string>();
  const channel = new InMemoryNotificationChannel();
  const quiet = Object.create(repository) as JobRepository;
  // `before` is ignored: it would be the end of Agenda's interval, so runs would be locked long before their time.
  quiet.getNextJobToRun = async (kind, _before, lockedBefore, now, options) => {
    if (!due.has(kind)) return undefined;
    const job = await repository.getNextJobToRun(kind, new Date(), lockedBefore, now, options);
    if (!job) due.delete(kind);
    return job;
  };

  async function msUntilNext(): Promise<number | null> {
    const at = await times.nextAt(kinds, lockMs);
    return at && at.getTime() - Date.now();
  }

  async function notifyOfDueRuns(): Promise<number | null> {
    const inMs = await msUntilNext();
    if (inMs === null || inMs > 0) return inMs;
    const now = new Date();
    for (const kind of await times.dueKinds(kinds, now, lockMs)) {
      due.add(kind);
      await channel.publish({ jobId: toJobId(kind), jobName: kind, nextRunAt: null, priority: 0, timestamp: now });
    }
    return msUntilNext();
  }

  return { channel, repository: quiet, ...createDuePoll(notifyOfDueRuns, onError) };
}

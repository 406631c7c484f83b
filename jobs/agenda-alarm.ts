import { InMemoryNotificationChannel, type JobRepository, type NotificationChannel, toJobId } from 'agenda';
import { createDuePoll, type DuePoll } from '../src/core/waiting/due-poll.ts';

/** Operations on the store beyond Agenda's own statements. Kinds that are not in `kinds` are ignored. */
export interface ScheduleTimes {
  /** When the next run can be locked: at its time, or when the lock of a process that died with it expires. */
  nextAt(kinds: readonly string[], lockMs: number): Promise<Date | null>;
  /** The kinds that have a run to lock at `now`, with Agenda's own condition. */
  dueKinds(kinds: readonly string[], now: Date, lockMs: number): Promise<string[]>;
}

/** Lets Agenda sleep until the next run of its schedule, in place of looking for each kind at intervals. */
export interface AgendaAlarm extends DuePoll {
  /** Through it Agenda learns that a kind is due. */
  channel: NotificationChannel;
  /** Serves Agenda's reads from memory while nothing is due. */
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
  // `before` would be the end of Agenda's interval: it would lock runs long before their time.
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

  async function look(): Promise<number | null> {
    const inMs = await msUntilNext();
    if (inMs === null || inMs > 0) return inMs;
    const now = new Date();
    for (const kind of await times.dueKinds(kinds, now, lockMs)) {
      due.add(kind);
      await channel.publish({ jobId: toJobId(kind), jobName: kind, nextRunAt: null, priority: 0, timestamp: now });
    }
    return msUntilNext();
  }

  return { channel, repository: quiet, ...createDuePoll(look, onError) };
}

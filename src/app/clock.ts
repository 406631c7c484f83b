import type { Logger } from 'pino';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database/database.ts';
import { clockKind, type DatabaseClock, startDatabaseClock } from '../core/database/database-clock.ts';
import type { WakeSource } from '../core/tasks/tasks.ts';

/** The clock of the process. `movable` is null when a test passes its own clock. */
export interface ServiceClock {
  clock: Clock;
  movable: DatabaseClock | null;
  /** Synchronizes the clock when another instance has moved business time. */
  follow: (wakes: WakeSource) => void;
}

/** Returns the given clock, or starts one that is synchronized with the database. */
export async function startClock({ sql }: Database, log: Logger, given?: Clock): Promise<ServiceClock> {
  if (given) return { clock: given, movable: null, follow: () => undefined };
  const clock = await startDatabaseClock(sql);
  return {
    clock,
    movable: clock,
    follow: (wakes) => {
      wakes.onWake(clockKind, () => {
        clock
          .sync()
          .catch((error: unknown) => log.warn({ err: error }, 'could not compare the clock with the database'));
      });
    },
  };
}

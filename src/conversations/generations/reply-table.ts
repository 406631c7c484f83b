import type { Ctx, Ports } from '../../core/ctx.ts';
import type { TaskKind } from '../../core/tasks/tasks.ts';
import type { StoredReply } from './generation-events.ts';
import type { LiveGenerations } from './live-generations.ts';
import type { AttemptKey, ReplyStatements } from './reply-statements.ts';

/**
 * Where attempts to reply are stored, for the engine that writes replies: it knows no other table. `Stored` is the message
 * that an attempt leaves.
 */
export interface ReplyTable<Stored extends StoredReply> extends ReplyStatements {
  /** The attempts that this process writes. */
  live(ports: Ports): LiveGenerations<Stored>;
  /** Finds the message that an attempt left. */
  findMessage(ctx: Ctx, id: string, key: AttemptKey): Promise<Stored | null>;
  /** Ends an attempt of the place with this id if the lease of its instance has expired. */
  interruptIfOrphaned(ctx: Ctx, placeId: string, key: AttemptKey): Promise<boolean>;
  /** The error that a reader receives when the attempt no longer exists. */
  goneMessage: string;
  /** The task that ends the attempts of dead instances. */
  recovery: TaskKind;
}

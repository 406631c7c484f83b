import type { Ctx, Ports } from '../../core/ctx.ts';
import type { TaskKind } from '../../core/tasks/tasks.ts';
import type { StoredReply } from './generation-events.ts';
import type { LiveGenerations } from './live-generations.ts';
import type { AttemptKey, ReplyStatements } from './reply-statements.ts';

/**
 * Storage of attempts to reply. It is the only table that the reply engine knows. `Stored` is the message that a
 * completed attempt leaves.
 */
export interface ReplyTable<Stored extends StoredReply> extends ReplyStatements {
  /** Returns the attempts that run in this process. */
  live(ports: Ports): LiveGenerations<Stored>;
  /** Returns the message of a completed attempt. */
  findMessage(ctx: Ctx, id: string, key: AttemptKey): Promise<Stored | null>;
  /** Interrupts an attempt in the conversation or room `threadId` if the lease of its instance has expired. */
  interruptIfOrphaned(ctx: Ctx, threadId: string, key: AttemptKey): Promise<boolean>;
  /** Error message for a reader when the attempt no longer exists. */
  goneMessage: string;
  /** Kind of the task that ends the attempts of dead instances. */
  recovery: TaskKind;
}

import { hasScope, requireUser, type Scope } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';

/** An event for the readers of a channel. All readers share one object, so it is serialized only once; see `textOf`. */
export interface ChannelEvent {
  type: string;
  /** Where to resume after it; null for an event without a place in the log. */
  offset: string | null;
  /** In the wire's names. */
  data: object;
  /** When it happened, for events of the account. */
  createdAt?: Date;
}

/**
 * `from_start`: the channel begins now. `caught_up`: everything after the given offset follows. `gap`: that offset is unknown
 * or no longer kept, so the reader reads the present state over REST and continues from `offset`.
 */
export type Resumed = 'from_start' | 'caught_up' | 'gap';

export interface ChannelReading {
  resumed: Resumed;
  /** The place before the first event. */
  offset: string | null;
  /** Ends when the channel does; throws AppError when it is taken from the reader. */
  events: AsyncGenerator<ChannelEvent, void, void>;
  /** Where others see that the reader is there. */
  presence?: ReaderPresence;
}

/** The presence that a reader shows to others in a channel. */
export interface ReaderPresence {
  type(): void;
  change(state: 'active' | 'away'): void;
}

export interface OpenOptions {
  /** The last offset that the reader has. */
  after: string | null;
  /** Fires when the reader has left. */
  left: AbortSignal;
}

/** A kind of channel: `<kind>` or `<kind>:<id>`. */
export interface ChannelKind {
  scope: Scope;
  /** @throws AppError `not_found` */
  open(ctx: Ctx, id: string, options: OpenOptions): Promise<ChannelReading>;
}

/** By the name before the colon. Another feature's channel is another entry. */
export type ChannelKinds = Readonly<Record<string, ChannelKind>>;

/**
 * Opens a channel for the caller.
 * @throws AppError `not_found` for an unknown channel and another account's, `insufficient_scope`, `unauthenticated`
 */
export async function openChannel(
  ctx: Ctx,
  kinds: ChannelKinds,
  channel: string,
  options: OpenOptions,
): Promise<ChannelReading> {
  const [name = '', ...rest] = channel.split(':');
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) throw notFound();
  const { scopes } = requireUser(ctx.actor);
  if (!hasScope(scopes, kind.scope)) {
    throw new AppError('insufficient_scope', { message: `This channel requires the scope \`${kind.scope}\`.` });
  }
  return kind.open(ctx, rest.join(':'), options);
}

const texts = new WeakMap<ChannelEvent, string>();

/** The members of an event's frame after its `op` and `id`. */
export function textOf(event: ChannelEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const { type, offset, data, createdAt } = event;
  const text = JSON.stringify({ type, offset, ...(createdAt && { created_at: createdAt }), data }).slice(1, -1);
  texts.set(event, text);
  return text;
}

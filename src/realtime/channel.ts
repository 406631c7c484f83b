import { hasScope, requireUser, type Scope } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';

/**
 * An event for the readers of a channel. All readers share one object, so that it is serialized only once; see
 * `frameOf`.
 */
export interface ChannelEvent {
  type: string;
  /** Offset from which a reader resumes after this event; null for an event that is not in the log. */
  offset: string | null;
  /** Payload with the field names of the wire format. */
  data: object;
  /** Time of the event, for events of the account. */
  createdAt?: Date;
  /** `data` as JSON, if it is known. */
  dataText?: string;
}

/** Returns the approximate size in memory of an event with its frame, in bytes. */
export function sizeOfEvent({ data, dataText }: ChannelEvent): number {
  const content = 'content' in data && typeof data.content === 'string' ? data.content.length : 0;
  return 1_024 + 2 * (dataText?.length ?? 2 * content);
}

/**
 * Outcome of resuming. `from_start`: the channel begins now. `caught_up`: everything after the given offset follows.
 * `gap`: that offset is unknown or no longer kept, so the reader must read the current state over REST and continue
 * from `offset`.
 */
export type Resumed = 'from_start' | 'caught_up' | 'gap';

export interface ChannelReading {
  resumed: Resumed;
  /** Offset before the first event. */
  offset: string | null;
  /** Ends when the channel ends. Throws an AppError when the reader loses access. */
  events: AsyncGenerator<ChannelEvent, void, void>;
  /** Presence of the reader, for channels that show it to others. */
  presence?: ReaderPresence;
}

/** The presence that a reader shows to others in a channel. */
export interface ReaderPresence {
  type(): void;
  change(state: 'active' | 'away'): void;
}

export interface OpenOptions {
  /** The last offset that the reader received. */
  after: string | null;
  /** Fires when the reader has left. */
  left: AbortSignal;
}

/** A kind of channel, addressed as `<kind>` or `<kind>:<id>`. */
export interface ChannelKind {
  scope: Scope;
  /**
   * Opens a channel for the caller.
   * @throws AppError `not_found`
   */
  open(ctx: Ctx, id: string, options: OpenOptions): Promise<ChannelReading>;
}

/** Kinds of channels by the part of the name before the colon. Each feature adds its own entries. */
export type ChannelKinds = Readonly<Record<string, ChannelKind>>;

/**
 * Opens a channel for the caller.
 * @throws AppError `not_found` for an unknown channel or one of another account, `insufficient_scope`,
 * `unauthenticated`
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

/** A frame in two parts. The second one is shared by all readers of the event. */
export type SharedFrame = readonly [head: string, body: Buffer];

/** From this length on, the text of an event is kept once for all its readers, as sent. */
const sharedLength = 4_096;

const texts = new WeakMap<ChannelEvent, string | Buffer>();
const frames = new WeakMap<ChannelEvent, { id: string; frame: string }>();

/** Returns an event's frame for a subscription. Readers whose subscriptions have the same id share one string. */
export function frameOf(event: ChannelEvent, id: string): string | SharedFrame {
  const known = frames.get(event);
  if (known?.id === id) return known.frame;
  const head = `{"op":"event","id":${JSON.stringify(id)},`;
  const text = textOf(event);
  if (typeof text !== 'string') return [head, text];
  const frame = head + text;
  frames.set(event, { id, frame });
  return frame;
}

/** Returns the part of an event's frame that follows `op` and `id`. */
function textOf(event: ChannelEvent): string | Buffer {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const { type, offset, createdAt } = event;
  const members = JSON.stringify({ type, offset, ...(createdAt && { created_at: createdAt }) }).slice(1, -1);
  const text = `${members},"data":${event.dataText ?? JSON.stringify(event.data)}}`;
  const kept = text.length < sharedLength ? text : Buffer.from(text);
  texts.set(event, kept);
  return kept;
}

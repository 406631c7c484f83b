import type { QueryClient } from '@tanstack/react-query';
import type { RoomMessageFieldsFragment, RoomTurnFieldsFragment } from '../api/generated/operations.ts';
import { createPace } from '../chat/replies/pace.ts';
import { connectRoom, type RoomConnection, type RoomEvent } from './room-connection.ts';
import { addMessage, eraseMessage, messagesQuery, patchRoom, readRoomAgain } from './room-queries.ts';
import { messageOf, settingsOf, turnOf } from './wire.ts';

/** A reply that is not stored: queued, being generated, or ended without text. */
export interface LiveTurn extends RoomTurnFieldsFragment {
  text: string;
  /** Whether this person caused it, in this tab. */
  isMine: boolean;
}

export interface LiveRoomState {
  turns: readonly LiveTurn[];
  /** Presence by user id. */
  present: ReadonlyMap<string, 'online' | 'away'>;
  typing: readonly string[];
  isLive: boolean;
  wasLive: boolean;
  isGone: boolean;
}

const textIn = (data: Record<string, unknown>, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

const typingMs = 6_000;
const isOver = ({ state }: RoomTurnFieldsFragment): boolean => state !== 'QUEUED' && state !== 'RUNNING';
/** Whether a turn ended without a reply. It is shown with the reason until it is dismissed. */
export const isFailed = ({ state }: RoomTurnFieldsFragment): boolean => state === 'FAILED' || state === 'REFUSED';

/** Ids of failed turns that were dismissed. The events of a room that is opened again report them again. */
const dismissed = new Set<string>();

/** The state of an open room. Applies its events, and sends typing and presence. */
export class LiveRoom {
  state: LiveRoomState = {
    turns: [],
    present: new Map(),
    typing: [],
    isLive: false,
    wasLive: false,
    isGone: false,
  };
  private readonly listeners = new Set<() => void>();
  private readonly texts = new Map<string, string>();
  private readonly mine = new Set<string>();
  /** Ids of turns that are over. A response can be older than the event that ended them. */
  private readonly ended = new Set<string>();
  private readonly typingTimers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly pace = createPace(() => this.drawTexts());
  private connection: RoomConnection | null = null;
  private readonly id: string;
  private readonly cache: QueryClient;

  constructor(id: string, cache: QueryClient) {
    this.id = id;
    this.cache = cache;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Follows the room's events after an offset. Returns a function that ends it. */
  open(after: string): () => void {
    this.connection = connectRoom(this.id, after, {
      onEvent: (event) => this.take(event),
      onLive: (isLive) => {
        // Presence is sent again after each connection.
        this.change({ isLive, wasLive: this.state.wasLive || isLive, ...(isLive ? {} : { present: new Map() }) });
      },
      onGap: () => void this.readAgain(),
      onGone: () => this.change({ isGone: true }),
    });
    const seen = (): void => this.connection?.setActive(!document.hidden);
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      for (const userId of this.state.typing) this.endTyping(userId);
      this.connection?.close();
    };
  }

  type(): void {
    this.connection?.type();
  }

  /** Adds turns from a response, which may arrive before their events. */
  addTurns(turns: readonly RoomTurnFieldsFragment[], areMine = false): void {
    for (const turn of turns) {
      if (areMine) this.mine.add(turn.id);
      if (!this.ended.has(turn.id)) this.putTurn(turn);
    }
  }

  dismiss(turnId: string): void {
    dismissed.add(turnId);
    this.remove(turnId);
  }

  private remove(turnId: string): void {
    this.change({ turns: this.state.turns.filter(({ id }) => id !== turnId) });
  }

  private take({ type, offset, data }: RoomEvent): void {
    const userId = textIn(data, 'user_id');
    if (type === 'message.created') this.takeMessage(messageOf(data));
    else if (type === 'message.deleted') eraseMessage(this.cache, this.id, textIn(data, 'id'));
    else if (type === 'turn.started') this.putTurn(turnOf(data));
    else if (type === 'turn.delta') this.takeText(textIn(data, 'turn_id'), textIn(data, 'content'), offset);
    else if (type === 'turn.done' || type === 'turn.failed') {
      this.ended.add(textIn(data, 'id'));
      this.putTurn(turnOf(data));
    } else if (type === 'room.updated') patchRoom(this.cache, this.id, settingsOf(data));
    else if (type === 'member.joined' || type === 'member.left') {
      void readRoomAgain(this.cache, this.id);
    } else if (type === 'presence') this.takePresence(userId, textIn(data, 'state'));
    else if (type === 'typing') this.takeTyping(userId);
  }

  private takeMessage(message: RoomMessageFieldsFragment): void {
    addMessage(this.cache, this.id, message);
    if (message.author.id !== null) this.endTyping(message.author.id);
    if (!message.turnId) return;
    this.ended.add(message.turnId);
    // A broken reply is shown as a message, so its failed turn shows only the reason.
    this.texts.delete(message.turnId);
    this.remove(message.turnId);
  }

  /** Adds a piece of text. Idempotent: the offset contains the end of the piece, so a repeated one changes nothing. */
  private takeText(turnId: string, content: string, offset: string | null): void {
    const known = this.texts.get(turnId) ?? '';
    const end = Number(offset?.split(':').at(-1) ?? known.length + content.length);
    this.texts.set(turnId, known.slice(0, Math.max(0, end - content.length)) + content);
    this.pace.request();
  }

  private drawTexts(): void {
    this.change({ turns: this.state.turns.map((turn) => ({ ...turn, text: this.texts.get(turn.id) ?? turn.text })) });
  }

  private putTurn(turn: RoomTurnFieldsFragment): void {
    const others = this.state.turns.filter(({ id }) => id !== turn.id);
    const before = this.state.turns.find(({ id }) => id === turn.id);
    // A stale response must not reset a running turn to queued.
    if (before?.state === 'RUNNING' && turn.state === 'QUEUED') return;
    if (dismissed.has(turn.id) || (isOver(turn) && !isFailed(turn))) return this.change({ turns: others });
    const isMine = this.mine.has(turn.id);
    const shown = { ...turn, isMine, text: this.texts.get(turn.id) ?? before?.text ?? '' };
    const turns = [...others, shown].toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
    this.change({ turns });
  }

  private takePresence(userId: string, state: string): void {
    const present = new Map(this.state.present);
    if (state === 'offline') present.delete(userId);
    else present.set(userId, state === 'away' ? 'away' : 'online');
    this.change({ present });
  }

  private takeTyping(userId: string): void {
    this.endTyping(userId);
    const timer = setTimeout(() => this.endTyping(userId), typingMs);
    this.typingTimers.set(userId, timer);
    this.change({ typing: [...this.state.typing, userId] });
  }

  private endTyping(userId: string): void {
    clearTimeout(this.typingTimers.get(userId));
    if (this.state.typing.includes(userId))
      this.change({ typing: this.state.typing.filter((other) => other !== userId) });
  }

  /** Reads the room again after missed events. Turns that still run are added again with it. */
  private async readAgain(): Promise<void> {
    this.change({ turns: this.state.turns.filter(isFailed) });
    await Promise.all([
      this.cache.resetQueries({ queryKey: messagesQuery(this.id).queryKey }),
      readRoomAgain(this.cache, this.id),
    ]);
  }

  private change(part: Partial<LiveRoomState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

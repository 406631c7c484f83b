import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { getMembership, hiddenPosition, hiddenTurn, type Membership } from '../membership.ts';
import { beforeInput } from '../room.input.ts';
import type { TurnState } from './turn-states.ts';

/** A turn, as the members of its room see it. */
export interface TurnView {
  id: string;
  roomId: string;
  agentId: string;
  /** The person's message at the root of the chain; null for a requested turn, or when the reader may not read it. */
  rootMessageId: string | null;
  hop: number;
  state: TurnState;
  /** Id of the stored reply; null until there is one. */
  messageId: string | null;
  error: { code: ErrorCode; message: string } | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** SQL expression: the position of the message at the root of the turn `t`; null for a requested turn. */
export const rootPosition = '(select o.position from room_messages o where o.id = t.root_id)';

/** Returns the select list of turns `t` for a reader who may not read messages up to the position `hidden`. */
const turnColumns = (hidden: string): string => `t.id, t.room_id as "roomId", t.agent_id as "agentId",
  case when t.root_id <> t.id and (${hidden} = 0 or ${rootPosition} > ${hidden}) then t.root_id end as "rootMessageId",
  t.hop, t.state,
  (select m.id from room_messages m where m.id = t.message_id) as "messageId",
  case when t.error_code is not null then jsonb_build_object('code', t.error_code, 'message', t.error_message) end as error,
  t.created_at as "createdAt", t.finished_at as "finishedAt"`;

const findStatement = {
  name: 'room_turns_get',
  text: `select ${turnColumns('$2::integer')} from room_turns t where t.id = any ($1) order by t.number`,
};

/**
 * Returns the turns with these ids, in their order, for a reader who may not read messages up to the position `hidden`.
 * Performs no authorization check.
 */
export const findTurns = (ctx: Ctx, ids: readonly string[], hidden = 0): Promise<TurnView[]> =>
  ctx.sql<TurnView>(findStatement, [ids, hidden]);

const findRunning = {
  name: 'room_turn_running',
  text: `
    select ${turnColumns('0')}, ${rootPosition} as "rootPosition" from room_turns t
    where t.room_id = $1 and t.state = 'running'`,
};

export interface RunningTurn {
  turn: TurnView;
  /** Position of the root message; null for a requested turn. */
  rootPosition: number | null;
}

/** Returns the running turn of a room, or null. Performs no authorization check. */
export async function findRunningTurn(ctx: Ctx, roomId: string): Promise<RunningTurn | null> {
  const [running] = await ctx.sql<TurnView & { rootPosition: number | null }>(findRunning, [roomId]);
  if (!running) return null;
  const { rootPosition: position, ...turn } = running;
  return { turn, rootPosition: position };
}

const findOwn = {
  name: 'room_turn_place',
  text: `
    select number, user_id as "userId", state from room_turns
    where id = $1 and room_id = $2 and (state <> 'refused' or user_id = $3)
      and (number > $4 or state in ('queued', 'running'))`,
};

/**
 * Returns a turn of a room if the caller may see it: one that was accepted since they joined, or that is not over,
 * because they receive its events.
 * @throws AppError `not_found`
 */
export async function findVisibleTurn(
  ctx: Ctx,
  room: Membership,
  id: string,
): Promise<{ number: number; userId: string; state: TurnState }> {
  const values = [id, room.id, callerId(ctx), hiddenTurn(room)];
  const [turn] = isId('trn_', id)
    ? await ctx.sql<{ number: number; userId: string; state: TurnState }>(findOwn, values)
    : [];
  if (!turn) throw notFound();
  return turn;
}

const list = {
  name: 'room_turns_list',
  text: `
    select ${turnColumns('$6::integer')} from room_turns t
    where t.room_id = $1 and t.number < $2 and t.number > $5 and (t.state <> 'refused' or t.user_id = $3)
    order by t.number desc limit $4`,
};
const newest = 2_147_483_647;

/**
 * Lists the turns accepted since the caller could read the room, newest first. A refused turn is shown only to the person
 * who caused it.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listTurns(
  ctx: Ctx,
  roomId: string,
  input: unknown,
): Promise<{ data: TurnView[]; hasMore: boolean }> {
  const { limit, before } = parseInput(beforeInput, input);
  const room = await getMembership(ctx, roomId);
  const end = before ? await numberOf(ctx, room, before) : newest;
  const values = [roomId, end, callerId(ctx), limit + 1, hiddenTurn(room), hiddenPosition(room)];
  const data = await ctx.sql<TurnView>(list, values);
  return { data: data.slice(0, limit), hasMore: data.length > limit };
}

async function numberOf(ctx: Ctx, room: Membership, id: string): Promise<number> {
  try {
    return (await findVisibleTurn(ctx, room, id)).number;
  } catch {
    throw invalidField('before', 'unknown_turn', 'before must be the id of a turn of this room');
  }
}

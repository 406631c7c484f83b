import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { getMembership } from '../membership.ts';
import { beforeInput } from '../room.input.ts';
import type { TurnState } from './turn-states.ts';

/** A turn, as the members of its room see it. */
export interface TurnView {
  id: string;
  roomId: string;
  agentId: string;
  /** The person's message at the root of the chain; null for a requested turn. */
  rootMessageId: string | null;
  hop: number;
  state: TurnState;
  /** Id of the stored reply; null until there is one. */
  messageId: string | null;
  error: { code: ErrorCode; message: string } | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const turnColumns = `t.id, t.room_id as "roomId", t.agent_id as "agentId",
  case when t.root_id <> t.id then t.root_id end as "rootMessageId", t.hop, t.state,
  (select m.id from room_messages m where m.id = t.message_id) as "messageId",
  case when t.error_code is not null then jsonb_build_object('code', t.error_code, 'message', t.error_message) end as error,
  t.created_at as "createdAt", t.finished_at as "finishedAt"`;

const findStatement = {
  name: 'room_turns_get',
  text: `select ${turnColumns} from room_turns t where t.id = any ($1) order by t.number`,
};

/** Returns the turns with these ids, in their order. Performs no authorization check. */
export const findTurns = (ctx: Ctx, ids: readonly string[]): Promise<TurnView[]> =>
  ctx.sql<TurnView>(findStatement, [ids]);

const findRunning = {
  name: 'room_turn_running',
  text: `select ${turnColumns} from room_turns t where t.room_id = $1 and t.state = 'running'`,
};

/** Returns the running turn of a room, or null. Performs no authorization check. */
export const findRunningTurn = async (ctx: Ctx, roomId: string): Promise<TurnView | null> =>
  (await ctx.sql<TurnView>(findRunning, [roomId]))[0] ?? null;

const findOwn = {
  name: 'room_turn_place',
  text: `
    select number, user_id as "userId", state from room_turns
    where id = $1 and room_id = $2 and (state <> 'refused' or user_id = $3)`,
};

/**
 * Returns a turn of a room if the caller may see it.
 * @throws AppError `not_found`
 */
export async function findVisibleTurn(
  ctx: Ctx,
  roomId: string,
  id: string,
): Promise<{ number: number; userId: string; state: TurnState }> {
  const [turn] = isId('trn_', id)
    ? await ctx.sql<{ number: number; userId: string; state: TurnState }>(findOwn, [id, roomId, callerId(ctx)])
    : [];
  if (!turn) throw notFound();
  return turn;
}

const list = {
  name: 'room_turns_list',
  text: `
    select ${turnColumns} from room_turns t
    where t.room_id = $1 and t.number < $2 and (t.state <> 'refused' or t.user_id = $3)
    order by t.number desc limit $4`,
};
const newest = 2_147_483_647;

/**
 * Lists the turns of a room, newest first. A refused turn is shown only to the person who caused it.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listTurns(
  ctx: Ctx,
  roomId: string,
  input: unknown,
): Promise<{ data: TurnView[]; hasMore: boolean }> {
  const { limit, before } = parseInput(beforeInput, input);
  await getMembership(ctx, roomId);
  const end = before ? await numberOf(ctx, roomId, before) : newest;
  const data = await ctx.sql<TurnView>(list, [roomId, end, callerId(ctx), limit + 1]);
  return { data: data.slice(0, limit), hasMore: data.length > limit };
}

async function numberOf(ctx: Ctx, roomId: string, id: string): Promise<number> {
  try {
    return (await findVisibleTurn(ctx, roomId, id)).number;
  } catch {
    throw invalidField('before', 'unknown_turn', 'before must be the id of a turn of this room');
  }
}

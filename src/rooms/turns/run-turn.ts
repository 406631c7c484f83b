import { writeReply, type WrittenReply } from '../../conversations/replies/write-reply.ts';
import type { GenerationOutcome } from '../../conversations/replies/live-generation.ts';
import { returnCharges } from '../../conversations/messages/refunds.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { AppError } from '../../core/errors.ts';
import { sendRoomEvent } from '../events/room-log.ts';
import { appendRoomMessage } from '../messages/append-room-message.ts';
import type { RoomMessageView } from '../messages/room-message.ts';
import { dropTurnCheckpoints, endTurns, endTurnWithReply, roomCharges } from './end-turn.ts';
import { lockRoomOnly } from '../membership.ts';
import { createReplyShape } from './reply-shape.ts';
import { loadTurnPrompt } from './load-turn-prompt.ts';
import { lockTurnRoom, enqueueAddressedAgents } from './addressed-agents.ts';
import type { TurnJob } from './turn-job.ts';

type Outcome = GenerationOutcome<RoomMessageView>;

/** Callback in the transaction that ends a turn. */
type AfterTurn = (tx: Ctx, roomId: string) => void;

/** Generates the reply of a running turn in the background and stores its outcome. Never throws. */
export function runTurn(ctx: Ctx, job: TurnJob, afterTurn: AfterTurn): void {
  const shape = createReplyShape(job.agentName);
  writeReply(ctx, ctx.ports.roomTurns, {
    id: job.id,
    account: job.payerId,
    shape,
    load: async (signal) => {
      const { prompt, otherNames } = await loadTurnPrompt(ctx, job, signal);
      shape.endAt(otherNames);
      return prompt;
    },
    complete: (reply) => complete(ctx, job, reply, afterTurn),
    fail: (failure, partialText) => fail(ctx, job, failure, partialText, afterTurn),
  });
}

const noteActivity = {
  name: 'room_turn_activity',
  text: `insert into agent_activity (agent_id, user_id, messages, created_at) values ($1, $2, 1, $3)`,
};

/** Stores the reply, ends its turn and enqueues replies of the agents that it addresses, in one transaction. */
function complete(ctx: Ctx, job: TurnJob, reply: WrittenReply, afterTurn: AfterTurn): Promise<Outcome> {
  const { state, usage, firstWordsMs, citations, truncated } = reply;
  const text = reply.text.trimEnd();
  const { id, roomId, agentId, agentName, agentAvatarUrl } = job;
  return inTransaction(ctx, async (tx): Promise<Outcome> => {
    const room = await lockTurnRoom(tx, job);
    // The model was called, so a person who stops it cannot give it back to another one who pays.
    const isCharged = text !== '' || job.payerId !== job.userId;
    const ended = await endTurnWithReply(tx, id, { state, usage, isCharged, firstWordsMs });
    if (!ended || !room) return { state: 'lost' };
    await dropTurnCheckpoints(tx, id);
    afterTurn(tx, roomId);
    if (text === '') {
      if (!isCharged) await returnCharges(tx, [{ ...ended, id }], 'stopped', roomCharges);
      await sendRoomEvent(tx, roomId, { type: 'turn.done', turnId: id });
      return { state, message: null, usage };
    }
    const mentions = room.mentionsIn(text);
    const message = await appendRoomMessage(tx, {
      id: job.messageId,
      roomId,
      ownerId: room.ownerId,
      author: { kind: 'agent', id: agentId, name: agentName, avatarUrl: agentAvatarUrl },
      content: text,
      mentions,
      turnId: id,
      citations,
      truncated,
    });
    await tx.sql(noteActivity, [agentId, job.payerId, tx.clock.now()]);
    await sendRoomEvent(tx, roomId, { type: 'turn.done', turnId: id });
    if (state === 'complete') await enqueueAddressedAgents(tx, job, room, mentions);
    return { state, message, usage };
  });
}

async function fail(
  ctx: Ctx,
  { id, roomId }: TurnJob,
  { code, message, retryAfterSeconds }: AppError,
  partialText: string,
  afterTurn: AfterTurn,
): Promise<Outcome> {
  const end = { from: ['running'], state: 'failed', error: { code, message, retryAfterSeconds }, partialText } as const;
  const failed = await inTransaction(ctx, async (tx) => {
    await lockRoomOnly(tx, roomId);
    afterTurn(tx, roomId);
    return endTurns(tx, [id], end);
  });
  return failed.length > 0 ? { state: 'failed', code, message, retryAfterSeconds } : { state: 'lost' };
}

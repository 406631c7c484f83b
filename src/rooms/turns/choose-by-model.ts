import { unlimited, utcDay } from '../../conversations/messages/quota.ts';
import { completeText } from '../../conversations/prompt/complete-text.ts';
import { createFence, fenceNotice } from '../../conversations/prompt/fence.ts';
import type { ChatTurn } from '../../conversations/prompt/language-model.ports.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction, onCommitted } from '../../core/database/transaction.ts';
import { readLocked } from '../membership.ts';
import type { RoomMessageView } from '../messages/room-message.ts';
import { isAvailableTo } from '../room-view.ts';
import { acceptTurn, type Payer } from './accept-turn.ts';
import { nameSpeakers, speakerName } from './speaker-names.ts';
import { startTurnsWhenCommitted } from './start-turn.ts';

interface Choice {
  room: { id: string; name?: string };
  message: RoomMessageView;
  /** The author of the message. */
  userId: string;
  /** Agents that reply in any case. */
  speakers: readonly string[];
}

const timeoutMs = 5_000;
const maxChosen = 2;
const contextMessages = 20;
/** Maximum length of each message in the model's prompt, in characters. */
const excerptLength = 500;

const readAgents = {
  name: 'room_choice_agents',
  text: `
    select ra.agent_id as id, a.name, coalesce(a.description, '') as description
    from room_agents ra join agents a on a.id = ra.agent_id
    where ra.room_id = $1 and not ra.muted and ${isAvailableTo('$2')} order by ra.position`,
};
// As for a reply, the prompt contains nothing that the author may not read.
const readLines = {
  name: 'room_choice_lines',
  text: `
    select coalesce(u.display_name, u.username, m.author_name, 'gone') as name, m.content
    from room_messages m left join users u on u.id = m.user_id and u.deletion_requested_at is null
    where m.room_id = $1 and m.position <= $2 and m.deleted_at is null and m.position > (
      select case when r.history = 'from_join' then j.joined_position else 0 end
      from rooms r join room_members j on j.room_id = r.id and j.user_id = $3 where r.id = $1)
    order by m.position desc limit ${contextMessages}`,
};
const findPayer = {
  name: 'room_choice_payer',
  text: `
    select p.id as "userId", p.plan, p.deletion_requested_at is not null as "isLeaving"
    from rooms r join room_members m on m.room_id = r.id and m.user_id = $2 and m.state = 'joined'
      join users p on p.id = case r.payer when 'owner' then r.owner_id else $2 end
    where r.id = $1 and r.deleted_at is null and r.reply_mode = 'auto'`,
};
// Committed before the model is called, so that a call that fails counts too.
const countChoice = {
  name: 'room_choice_count',
  text: `
    insert into usage_counters as u (user_id, day, messages, choices) values ($1, $2, 0, 1)
    on conflict (user_id, day) do update set choices = u.choices + 1 where u.messages < $3 and u.choices < $3
    returning u.choices`,
};
const countMessages = {
  name: 'room_choice_messages',
  text: `select messages from usage_counters where user_id = $1 and day = $2`,
};

/**
 * Lets a fast model choose up to two more agents to reply to a message, after its transaction commits. The choice is
 * not charged, but it needs a payer who can pay for a reply, and a payer has at most as many choices a day as their
 * plan allows messages. When the model is slow, fails or returns something else, no agent is chosen; agents that the
 * message addresses reply in any case.
 */
export const chooseByModelWhenCommitted = (tx: Ctx, choice: Choice): void =>
  onCommitted(tx, () => {
    const ctx = tx.ports.background();
    choose(ctx, choice).catch((error: unknown) =>
      ctx.log.warn({ err: error, roomId: choice.room.id }, 'no agent was chosen for a message of a room'),
    );
  });

async function choose(ctx: Ctx, choice: Choice): Promise<void> {
  const { room, message, userId, speakers } = choice;
  const agents = await ctx.sql<{ id: string; name: string; description: string }>(readAgents, [room.id, userId]);
  const others = agents.filter(({ id }) => !speakers.includes(id));
  const [first] = others;
  if (!first || !(await mayChoose(ctx, choice, first.id))) return;
  const lines = await ctx.sql<{ name: string; content: string }>(readLines, [room.id, message.position, userId]);
  const names = nameSpeakers(others);
  const prompt = choicePrompt(
    others.map(({ id, description }) => ({ name: names.get(id) ?? '', description })),
    lines.toReversed(),
  );
  const text = await completeText(ctx, 'fast', prompt, AbortSignal.timeout(timeoutMs));
  const chosen = namesIn(text).flatMap((name) => others.filter(({ id }) => names.get(id) === name));
  const ids = new Set(chosen.slice(0, maxChosen).map(({ id }) => id));
  if (ids.size > 0) await acceptTurns(ctx, choice, [...ids]);
}

/**
 * Counts a choice before it is made and returns whether the payer may have it. A payer without a message left can pay
 * for no reply: `agentId`, unless the message already addressed another agent, gets the turn that is refused for that
 * reason, so that the author learns why there is no reply.
 */
async function mayChoose(ctx: Ctx, choice: Choice, agentId: string): Promise<boolean> {
  const [payer] = await ctx.sql<Payer>(findPayer, [choice.room.id, choice.userId]);
  if (!payer) return false;
  const limit = Math.min(ctx.catalog.planLimits.messagesPerDay[payer.plan], unlimited);
  const day = utcDay(ctx.clock.now());
  if (!payer.isLeaving && (await ctx.sql(countChoice, [payer.userId, day, limit])).length > 0) return true;
  const [used] = await ctx.sql<{ messages: number }>(countMessages, [payer.userId, day]);
  const canPay = !payer.isLeaving && (used?.messages ?? 0) < limit;
  if (!canPay && choice.speakers.length === 0) await acceptTurns(ctx, choice, [agentId]);
  return false;
}

const acceptTurns = (ctx: Ctx, { room, message, userId }: Choice, agentIds: readonly string[]): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const [payer] = await readLocked<Payer>(tx, findPayer, [room.id, userId]);
    if (!payer) return;
    for (const agentId of agentIds)
      await acceptTurn(tx, { roomId: room.id, agentId, userId, payer, rootId: message.id, hop: 0 });
    startTurnsWhenCommitted(tx, room.id);
  });

/** Returns the names of a JSON list; an empty list for anything else. */
function namesIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text.slice(Math.max(0, text.indexOf('[')), text.lastIndexOf(']') + 1));
    return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

function choicePrompt(
  agents: readonly { name: string; description: string }[],
  lines: readonly { name: string; content: string }[],
): ChatTurn[] {
  const fence = createFence();
  const listed = agents.map(({ name, description }) => `${name}: ${description.replace(/\s+/g, ' ')}`).join('\n');
  const said = lines
    .map(
      ({ name, content }) =>
        `${speakerName(name)}: ${content.slice(0, excerptLength).toWellFormed().replace(/\s+/g, ' ')}`,
    )
    .join('\n');
  return [
    {
      role: 'system',
      content:
        'Choose which agents should answer the last message of the room that the user shows you: none, one or two. Answer with ' +
        `a JSON list of their names and nothing else, such as ["Ada"] or [].\n\n${fenceNotice}`,
    },
    { role: 'user', content: `${fence('agents', listed)}\n\n${fence('room', said)}` },
  ];
}

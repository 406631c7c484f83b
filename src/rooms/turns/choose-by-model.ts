import { completeText } from '../../conversations/prompt/complete-text.ts';
import { createFence, fenceNotice } from '../../conversations/prompt/fence.ts';
import type { ChatTurn } from '../../conversations/prompt/language-model.ports.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction, onCommitted } from '../../core/database/transaction.ts';
import type { RoomMessageView } from '../messages/room-message.ts';
import { isAvailableTo } from '../room-view.ts';
import { acceptTurn } from './accept-turn.ts';
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
const lockPayer = {
  name: 'room_choice_lock',
  text: `
    select p.id as "userId", p.plan, p.deletion_requested_at is not null as "isLeaving"
    from rooms r join room_members m on m.room_id = r.id and m.user_id = $2 and m.state = 'joined'
      join users p on p.id = case r.payer when 'owner' then r.owner_id else $2 end
    where r.id = $1 and r.deleted_at is null and r.reply_mode = 'auto'
    for no key update of r`,
};

/**
 * Lets a fast model choose up to two more agents to reply to a message, after its transaction commits. The choice is
 * not charged. When the model is slow, fails or returns something else, no agent is chosen; agents that the message
 * addresses reply in any case.
 */
export const chooseByModelWhenCommitted = (tx: Ctx, choice: Choice): void =>
  onCommitted(tx, () => {
    const ctx = tx.ports.background();
    choose(ctx, choice).catch((error: unknown) =>
      ctx.log.warn({ err: error, roomId: choice.room.id }, 'no agent was chosen for a message of a room'),
    );
  });

async function choose(ctx: Ctx, { room, message, userId, speakers }: Choice): Promise<void> {
  const agents = await ctx.sql<{ id: string; name: string; description: string }>(readAgents, [room.id, userId]);
  const others = agents.filter(({ id }) => !speakers.includes(id));
  if (others.length === 0) return;
  const lines = await ctx.sql<{ name: string; content: string }>(readLines, [room.id, message.position, userId]);
  const names = nameSpeakers(others);
  const prompt = choicePrompt(
    others.map(({ id, description }) => ({ name: names.get(id) ?? '', description })),
    lines.toReversed(),
  );
  const text = await completeText(ctx, 'fast', prompt, AbortSignal.timeout(timeoutMs));
  const chosen = namesIn(text).flatMap((name) => others.filter(({ id }) => names.get(id) === name));
  if (chosen.length === 0) return;
  await inTransaction(ctx, async (tx) => {
    const [payer] = await tx.sql<{ userId: string; plan: Plan; isLeaving: boolean }>(lockPayer, [room.id, userId]);
    if (!payer) return;
    for (const { id: agentId } of new Set(chosen.slice(0, maxChosen)))
      await acceptTurn(tx, { roomId: room.id, agentId, userId, payer, rootId: message.id, hop: 0 });
    startTurnsWhenCommitted(tx, room.id);
  });
}

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

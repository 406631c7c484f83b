import type { WebClient } from '@slack/web-api';
import type { BotPlaces } from '../../integrations/platforms.ports.ts';

const pageSize = 200;
const maxPages = 3;

/** Lists the workspace of a bot with its channels; channels that the bot has joined come first. */
export async function listPlaces(client: WebClient): Promise<BotPlaces> {
  const { team_id: teamId, team, user } = await client.auth.test();
  const channels: NonNullable<Awaited<ReturnType<typeof client.conversations.list>>['channels']> = [];
  let cursor = '';
  for (let page = 0; page === 0 || (cursor && page < maxPages); page++) {
    const answer = await client.conversations.list({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: pageSize,
      ...(cursor ? { cursor } : {}),
    });
    channels.push(...(answer.channels ?? []));
    cursor = answer.response_metadata?.next_cursor ?? '';
  }
  const listed = channels.flatMap(({ id, name, is_member: isMember = false }) =>
    id ? [{ id, name: name ?? id, isMember }] : [],
  );
  const id = teamId ?? channels[0]?.context_team_id;
  const sorted = listed.toSorted((a, b) => Number(b.isMember) - Number(a.isMember) || a.name.localeCompare(b.name));
  return {
    botName: user ?? '',
    places: id ? [{ id, name: team ?? id, channels: sorted }] : [],
    isComplete: cursor === '',
  };
}

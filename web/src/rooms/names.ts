import type { RoomMemberFieldsFragment, RoomQuery } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';

const gone = 'gone';

export const nameOf = ({ displayName, username }: Pick<RoomMemberFieldsFragment, 'displayName' | 'username'>): string =>
  displayName ?? username ?? gone;

/** Returns an agent of the room. One that was removed during its reply gets a generic name. */
export const agentOf = (
  { agents }: RoomQuery['room'],
  id: string,
): Pick<RoomQuery['room']['agents'][number], 'name' | 'picture'> =>
  agents.find(({ agentId }) => agentId === id) ?? { name: common.agent, picture: null };

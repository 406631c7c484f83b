import type { RoomMemberFieldsFragment, RoomQuery } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { ownPath } from '../parts/own-path.ts';

const gone = 'gone';

export const nameOf = ({ displayName, username }: Pick<RoomMemberFieldsFragment, 'displayName' | 'username'>): string =>
  displayName ?? username ?? gone;

/** A picture of one size, as the parts take it. */
export const pictureOf = (url: string | null | undefined) => (url && ownPath(url) ? { small: url, medium: url } : null);

/** An agent as the room knows it; one that left in the middle of a reply is only an agent. */
export const agentOf = ({ agents }: RoomQuery['room'], id: string): { name: string; avatarUrl?: string | null } =>
  agents.find(({ agentId }) => agentId === id) ?? { name: common.agent };

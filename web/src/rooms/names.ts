import type { RoomMemberFieldsFragment, RoomQuery } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { ownPath } from '../parts/own-path.ts';

const gone = 'gone';

export const nameOf = ({ displayName, username }: Pick<RoomMemberFieldsFragment, 'displayName' | 'username'>): string =>
  displayName ?? username ?? gone;

/** Converts a URL to the sizes that `Avatar` expects. */
export const pictureOf = (url: string | null | undefined) => (url && ownPath(url) ? { small: url, medium: url } : null);

/** Returns an agent of the room. One that was removed during its reply gets a generic name. */
export const agentOf = ({ agents }: RoomQuery['room'], id: string): { name: string; avatarUrl?: string | null } =>
  agents.find(({ agentId }) => agentId === id) ?? { name: common.agent };

import { cache } from '../api/cache.ts';
import { messagesQuery, roomQuery } from './room-queries.ts';

export const loadRoom = (id: string) => cache.query(roomQuery(id));

/** Loads a room. Unless it is only preloaded, also starts to load its messages. The screen reports their errors. */
export function loadRoomAndMessages(id: string, isPreload: boolean) {
  const messages = messagesQuery(id);
  if (!isPreload && !cache.getQueryState(messages.queryKey)) void cache.infiniteQuery(messages).catch(() => undefined);
  return loadRoom(id);
}

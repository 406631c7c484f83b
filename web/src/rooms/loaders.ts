import { cache } from '../api/cache.ts';
import { roomQuery } from './room-queries.ts';

export const loadRoom = (id: string) => cache.query(roomQuery(id));

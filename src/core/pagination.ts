import { z } from 'zod';

const defaultLimit = 20;
const maxLimit = 100;

/** `limit` (1 to `max`, default 20) and `offset` (from 0) of a list; out of range is an error, never clamped. */
export const pageInput = (max = maxLimit) =>
  z.object({
    limit: z.int().min(1).max(max).default(Math.min(defaultLimit, max)),
    offset: z.int().min(0).max(2_147_483_647).default(0),
  });

/** One page of a list and the number of things in the whole list. */
export interface Page<Item> {
  data: Item[];
  total: number;
  limit: number;
  offset: number;
}

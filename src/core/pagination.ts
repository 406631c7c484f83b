import { z } from 'zod';

const defaultLimit = 20;
const maxLimit = 100;

/** `limit` (1 to `max`, default 20) and `offset` (from 0) of a list; out of range is an error, never clamped. */
export const pageInput = (max = maxLimit) =>
  z.object({
    limit: orDefault(z.int().min(1).max(max), Math.min(defaultLimit, max)),
    offset: orDefault(z.int().min(0).max(2_147_483_647), 0),
  });

/** An optional argument of a list: not given and `null` both mean the default. */
export const orDefault = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullish().transform((given) => given ?? value);

/** One page of a list and the number of things in the whole list. */
export interface Page<Item> {
  data: Item[];
  total: number;
  limit: number;
  offset: number;
}

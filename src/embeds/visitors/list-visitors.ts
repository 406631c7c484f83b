import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { listVisitorsInput } from '../embed.input.ts';
import { getEmbed } from '../embeds.ts';
import { EmbedVisitor } from './embed-visitor.entity.ts';

/** A visitor as the owner of the embed sees them. */
export type VisitorView = Pick<
  EmbedVisitor,
  'id' | 'externalId' | 'name' | 'conversationId' | 'createdAt' | 'lastSeenAt'
>;

const from = 'embed_visitors v where v.embed_id = $1 and v.forgotten_at is null';
const listSeen = orderedList<VisitorView>({
  name: 'embed_visitors_list',
  columns: columnsOf(EmbedVisitor, 'v', {
    only: ['id', 'externalId', 'name', 'conversationId', 'createdAt', 'lastSeenAt'],
  }),
  from,
  valueCount: 1,
  key: { column: 'v.last_seen_at', kind: 'time', of: (visitor) => visitor.lastSeenAt },
  id: { column: 'v.id', of: ({ id }) => id },
});
const countAll = { name: 'embed_visitors_count', text: `select count(*) as total from ${from}` };

/**
 * Lists the visitors of one of the caller's embeds, most recently seen first.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listEmbedVisitors(ctx: Ctx, embedId: string, input: unknown): Promise<Page<VisitorView>> {
  const page = parseInput(listVisitorsInput, input);
  const embed = await getEmbed(ctx, embedId);
  const values = [embed.id];
  return withTotal(ctx, readSlice(ctx, listSeen, values, page), page, countAll, values);
}

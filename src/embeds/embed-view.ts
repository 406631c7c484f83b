import { columnsOf } from '../core/database/columns-of.ts';
import { Embed } from './embed.entity.ts';

/** An embed with its counts and without its secrets. */
export interface EmbedView extends Omit<
  Embed,
  'identitySecret' | 'previousSecret' | 'previousSecretExpiresAt' | 'challengeSecret' | 'deletedAt'
> {
  /** Number of all messages. */
  messageCount: number;
  /** Number of all visitors. */
  visitorCount: number;
}

const columns = columnsOf(Embed, 'e', {
  except: ['identitySecret', 'previousSecret', 'previousSecretExpiresAt', 'challengeSecret', 'deletedAt'],
});

/** Select list of an `EmbedView`. An embed has one row a day, so the sums are cheap. */
export const embedColumns = `${columns},
  (select coalesce(sum(d.messages), 0) from embed_days d where d.embed_id = e.id)::bigint as "messageCount",
  (select coalesce(sum(d.new_visitors), 0) from embed_days d where d.embed_id = e.id)::bigint as "visitorCount"`;

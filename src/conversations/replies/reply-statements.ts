import type { SqlValue, Statement } from '../../core/database/sql.ts';
import { isOfLiveInstance, isQuiet, leaseExpired } from '../instances/instance-lease.ts';

/** Names of a table of attempts to reply and of the table of their checkpoints. */
export interface ReplyNames {
  /** Prefix for the names of the statements. */
  name: string;
  table: string;
  deltas: string;
  /** Column of `deltas`: id of the attempt. */
  deltaKey: string;
  /** Column of `table`: id of the conversation or room that holds the messages. */
  thread: string;
  /** Column of `table`: id of the reply once it is stored. */
  reply: string;
  /** Column of `table`: account, if an attempt is identified by account and id. */
  account?: string;
}

/** Identity of an attempt: its id, and the account if the table has one. */
export interface AttemptKey {
  id: string;
  account?: string;
}

export interface ReplyStatements {
  /**
   * Stores the pieces $5 of the attempts $3 at the positions $4. Returns the attempts whose pieces were stored because
   * they are running, and those of the attempts $2 (of the accounts $6) that the instance $1 must not continue.
   */
  checkpoint: Statement;
  /** Removes at most $2 checkpoints of attempts that have ended. */
  purgeDeltas: Statement;
  /** Counts the ended attempts that still have checkpoints. */
  countLeftDeltas: Statement;
  /** Reads an attempt for its readers, with the text that was checkpointed from a position on. */
  readStored: Statement;
  /** Returns the parameters of `readStored`. */
  storedValues(key: AttemptKey, position: number): SqlValue[];
  /** Expression: ids of the running attempts of the instance $1. */
  own: string;
  /** Expression: whether there are running attempts of dead instances. */
  hasOrphans: string;
  /** Disowns the attempts $1 of the instance $2. */
  disown: Statement;
}

/** Returns the condition that the attempt with this alias is running and the lease of its instance has expired. */
export const isOrphaned = (alias: string): string =>
  `${alias}.state = 'running' and not ${isOfLiveInstance(`${alias}.instance_id`)}`;

/** Creates the statements of the reply engine for one table. */
export function replyStatements({
  name,
  table,
  deltas,
  deltaKey,
  thread,
  reply,
  account,
}: ReplyNames): ReplyStatements {
  const statement = (suffix: string, text: string): Statement => ({ name: `${name}_${suffix}`, text });
  const isKnown = (alias: string, key: string): string =>
    `${alias}.id = ${key}.id${account ? ` and ${alias}.${account} = ${key}.account` : ''}`;
  return {
    storedValues: (key, position) => [key.id, position, ...(account ? [key.account ?? ''] : [])],
    // The lock prevents an attempt from ending between the read and the write of this statement, which would orphan the
    // piece. An attempt that is just ending is skipped and not reported as written.
    checkpoint: statement(
      'checkpoint',
      `
      with written as (
        insert into ${deltas} (${deltaKey}, position, content)
        select d.id, d.position, d.content
        from unnest($3::text[], $4::integer[], $5::text[]) as d (id, position, content)
        join (
          select a.id from unnest($2::text[], $6::text[]) as k (id, account) join ${table} a on ${isKnown('a', 'k')}
          where k.id = any ($3) and a.state = 'running' for share of a skip locked
        ) g on g.id = d.id
        on conflict (${deltaKey}, position) do update set content = excluded.content
        returning ${deltaKey} as id
      )
      select id, true as "isWritten" from written
      union all
      select u.id, false from unnest($2::text[], $6::text[]) as u (id, account)
      left join ${table} g on ${isKnown('g', 'u')}
      where g.id is null or g.state <> 'running' or g.instance_id <> $1 or g.stop_requested`,
    ),
    purgeDeltas: statement(
      'deltas_purge',
      `
      delete from ${deltas} where (${deltaKey}, position) in (
        select d.${deltaKey}, d.position from ${deltas} d join ${table} g on g.id = d.${deltaKey}
        where g.state <> 'running' limit $2)
        and $1::timestamptz is not null
      returning 1`,
    ),
    // One index step for each attempt, however many pieces it has.
    countLeftDeltas: statement(
      'deltas_left',
      `
      with recursive written (id) as (
        (select ${deltaKey} from ${deltas} order by ${deltaKey} limit 1)
        union all
        select (select d.${deltaKey} from ${deltas} d where d.${deltaKey} > w.id order by d.${deltaKey} limit 1)
        from written w where w.id is not null
      )
      select count(*) as count from written w join ${table} g on g.id = w.id where g.state <> 'running'`,
    ),
    readStored: statement(
      'follow',
      `
      select g.${thread} as "threadId", g.state, g.error_code as "errorCode", g.error_message as "errorMessage",
        case when g.retry_at > now() then ceil(extract(epoch from g.retry_at - now()))::integer end as "retryAfterSeconds",
        g.${reply} as "replyId", g.input_tokens as "inputTokens", g.output_tokens as "outputTokens",
        coalesce(g.partial_text, '') as "partialText", coalesce((
          select string_agg(d.content, '' order by d.position) from ${deltas} d
          where d.${deltaKey} = g.id and d.position >= $2), '') as more, ${isQuiet('g.instance_id')} as "isQuiet"
      from ${table} g where g.id = $1${account ? ` and g.${account} = $3` : ''}`,
    ),
    own: `array(select id from ${table} where instance_id = $1 and state = 'running')`,
    hasOrphans: `
      (exists (select 1 from ${table} where instance_id = '' and state = 'running') or exists (
        select 1 from instances i join ${table} g on g.instance_id = i.id and g.state = 'running'
        where ${leaseExpired('i')}
      ))`,
    disown: statement(
      'disown',
      `update ${table} set instance_id = '' where id = any ($1) and instance_id = $2 and state = 'running'`,
    ),
  };
}

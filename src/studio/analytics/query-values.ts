import type { Breakdown } from './analytics.input.ts';

/** Parameters of the statement of analytics, in the order of `valuesOf`. */
export const values = {
  agents: '$1::text[]',
  from: '$2::date',
  to: '$3::date',
  /** First day that is not aggregated in the weekly sums. */
  since: '$4::date',
  /** First day that is not complete yet. */
  openDay: '$5::date',
  now: '$6::timestamptz',
  isWeekly: '$7::boolean',
} as const;

/** SQL expressions that depend on the breakdown of a request; null without one. */
export interface QueryValues {
  /** The version or source of a row `d` of `agent_days` or `agent_day_users`. */
  groupOfUse: string | null;
  /** The numbers of people by version or source in a row `d` of `agent_day_people`. */
  groupsOfSum: string;
}

export const queryValuesOf = (by: Breakdown | null): QueryValues =>
  ({
    version: { groupOfUse: 'd.version_number::text', groupsOfSum: 'd.by_version' },
    source: { groupOfUse: 'd.source', groupsOfSum: 'd.by_source' },
    none: { groupOfUse: null, groupsOfSum: 'null::jsonb' },
  })[by ?? 'none'];

/** SQL for the Monday of the week of a date. */
export const mondayOfDay = (day: string): string => `(${day} - (extract(isodow from ${day})::integer - 1))`;

/** SQL for the first day of the bucket of a date in the series. */
export const bucketOfDay = (day: string): string =>
  `case when ${values.isWeekly} then ${mondayOfDay(day)} else ${day} end`;

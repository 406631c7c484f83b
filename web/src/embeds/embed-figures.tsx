import { useQuery } from '@tanstack/react-query';
import { type EmbedFieldsFragment, type EmbedIdentityFault, EmbedStatsDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Tile, Tiles } from '../parts/figures/tile.tsx';
import { common } from '../parts/common-texts.ts';
import { identityFaultTexts, texts } from './texts.ts';
import styles from './embeds.module.css';

interface Refusal {
  label: string;
  limit: number;
  count: number;
}

const days = 30;

const columns: Column<Refusal>[] = [
  { title: texts.refusedBy, render: ({ label }) => label },
  { title: texts.limit, width: '80px', align: 'end', render: ({ limit }) => limit.toLocaleString() },
  { title: common.messages, width: '100px', align: 'end', render: ({ count }) => count.toLocaleString() },
];

const faultColumns: Column<{ fault: EmbedIdentityFault; count: number }>[] = [
  { title: texts.refusedIdentities, render: ({ fault }) => identityFaultTexts[fault] },
  { title: texts.times, width: '100px', align: 'end', render: ({ count }) => count.toLocaleString() },
];

/** Usage of the last days, and what the limits refused. */
export function EmbedFigures({ embed: { id, limits, messageCount, visitorCount } }: { embed: EmbedFieldsFragment }) {
  const { data, error, refetch } = useQuery(query(EmbedStatsDocument, { id, days }));
  const series = data?.embedStats.days ?? [];
  const today = series.at(-1);
  const sum = (of: (day: (typeof series)[number]) => number): number =>
    series.reduce((total, day) => total + of(day), 0);
  const refusals: Refusal[] = [
    { label: texts.theDay, limit: limits.perDay, count: sum(({ refused }) => refused.perDay) },
    { label: texts.visitorsDay, limit: limits.perVisitorDay, count: sum(({ refused }) => refused.perVisitorDay) },
    { label: texts.addressesHour, limit: limits.perAddressHour, count: sum(({ refused }) => refused.perAddressHour) },
  ];
  const refusedCount = refusals.reduce((total, { count }) => total + count, 0);
  const faults = Object.keys(identityFaultTexts)
    .map((fault) => fault as EmbedIdentityFault)
    .map((fault) => ({ fault, count: sum((day) => day.identityFaults.find((one) => one.fault === fault)?.count ?? 0) }))
    .filter(({ count }) => count > 0);
  return (
    <section className={styles.section} aria-labelledby="figures">
      <h2 id="figures">{texts.lastDays(days)}</h2>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      <Tiles>
        <Tile label={common.messages} note={texts.messagesEver(messageCount)}>
          {sum(({ messages }) => messages).toLocaleString()}
        </Tile>
        <Tile label={texts.visits} note={texts.visitorsEver(visitorCount)}>
          {sum(({ visitors }) => visitors).toLocaleString()}
        </Tile>
        <Tile label={texts.today} note={texts.ofAllowed(limits.perDay)}>
          {(today?.cost ?? 0).toLocaleString()}
        </Tile>
        <Tile label={texts.charged}>{sum(({ cost }) => cost).toLocaleString()}</Tile>
      </Tiles>
      {faults.length > 0 && (
        <DataTable label={texts.refusedIdentities} columns={faultColumns} rows={faults} idOf={({ fault }) => fault} />
      )}
      {refusedCount > 0 && (
        <DataTable label={texts.refusedMessages} columns={columns} rows={refusals} idOf={({ label }) => label} />
      )}
    </section>
  );
}

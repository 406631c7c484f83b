import { useInfiniteQuery } from '@tanstack/react-query';
import { InvoicesDocument, type InvoicesQuery } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { day, money } from '../parts/values/money.ts';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { Status, type StatusTone } from '../parts/figures/status.tsx';
import { texts } from './texts.ts';
import styles from './billing.module.css';

type Invoice = InvoicesQuery['invoices']['data'][number];

const states: Readonly<Record<Invoice['status'], readonly [string, StatusTone]>> = {
  DRAFT: [texts.draft, 'muted'],
  OPEN: [texts.open, 'warn'],
  PAID: [texts.paid, 'good'],
  VOID: [texts.withdrawn, 'muted'],
  UNCOLLECTIBLE: [texts.writtenOff, 'bad'],
};

const columns: readonly Column<Invoice>[] = [
  {
    title: texts.number,
    render: ({ number, invoicePdf }) =>
      invoicePdf ? (
        <a href={invoicePdf} target="_blank" rel="noreferrer" dir="ltr" title={texts.openPdf}>
          {number}
        </a>
      ) : (
        <span dir="ltr">{number}</span>
      ),
  },
  {
    title: common.period,
    isMinor: true,
    render: ({ periodStart, periodEnd }) => texts.fromTo(day(periodStart), day(periodEnd)),
  },
  {
    title: texts.state,
    width: '120px',
    render: ({ status }) => <Status tone={states[status][1]}>{states[status][0]}</Status>,
  },
  {
    title: texts.amount,
    width: '110px',
    align: 'end',
    render: ({ amount, currency }) => money(amount, currency),
  },
];

export function Invoices() {
  const list = useInfiniteQuery(
    pagedQuery(InvoicesDocument, {}, ({ invoices }) =>
      invoices.pageInfo.hasNextPage ? invoices.pageInfo.endCursor : null,
    ),
  );
  const invoices = list.data?.pages.flatMap((page) => page.invoices.data);
  return (
    <section className={styles.section} aria-labelledby="invoices">
      <h2 id="invoices">{texts.invoices}</h2>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!invoices && !list.error && <Skeleton lines={['100%', '100%']} height={44} />}
      {invoices?.length === 0 && <p className={styles.hint}>{texts.noneYet}</p>}
      {invoices && invoices.length > 0 && (
        <DataTable label={texts.invoices} columns={columns} rows={invoices} idOf={({ id }) => id} />
      )}
      {list.hasNextPage && (
        <div>
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {common.more}
          </Button>
        </div>
      )}
    </section>
  );
}

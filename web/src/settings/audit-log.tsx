import { useInfiniteQuery } from '@tanstack/react-query';
import { AuditLogDocument, type AuditLogQuery } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { exactTime } from '../parts/values/time-ago.tsx';
import { auditTexts } from './audit-texts.ts';
import { texts } from './texts.ts';
import styles from './settings.module.css';

type AuditEvent = AuditLogQuery['auditLog']['data'][number];

const columns: readonly Column<AuditEvent>[] = [
  { title: texts.what, render: ({ action }) => <span title={auditTexts[action]}>{auditTexts[action]}</span> },
  {
    title: texts.with,
    width: '120px',
    isMinor: true,
    render: ({ apiKeyId }) => (apiKeyId ? texts.apiKey : texts.aSession),
  },
  { title: texts.from, width: '180px', isMinor: true, render: ({ ip }) => <bdi dir="ltr">{ip ?? '–'}</bdi> },
  { title: texts.when, width: '180px', align: 'end', render: ({ createdAt }) => exactTime(createdAt) },
];

/** The audit log of the account, newest first. */
export function AuditLog() {
  const list = useInfiniteQuery(
    pagedQuery(AuditLogDocument, {}, ({ auditLog }) =>
      auditLog.pageInfo.hasNextPage ? auditLog.pageInfo.endCursor : null,
    ),
  );
  const events = list.data?.pages.flatMap((page) => page.auditLog.data);
  return (
    <section className={styles.section} aria-labelledby="audit-log">
      <h2 id="audit-log">{texts.auditLog}</h2>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!events && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={44} />}
      {events && <DataTable label={texts.auditLog} columns={columns} rows={events} idOf={({ id }) => id} />}
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

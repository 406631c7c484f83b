import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OwnReportsDocument, type ReportPartsFragment } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { Status } from '../parts/figures/status.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { reasonName, reportStates, subjectNames } from './names.ts';
import { OwnDecisions } from './own-decisions.tsx';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

/** Decisions about the person's content, and the outcome of the person's reports. */
export const ReportsPage = () => (
  <Page title={texts.reportsAndDecisions} tabs={<SettingsTabs />}>
    <OwnDecisions />
    <OwnReports />
    <ApiNote tag="moderation" path="/v1/moderation/decisions" />
  </Page>
);

function OwnReports() {
  const list = useInfiniteQuery(
    pagedQuery(OwnReportsDocument, {}, ({ reports: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const reports = list.data?.pages.flatMap((page) => page.reports.data);
  return (
    <section className={styles.section} aria-label={texts.yourReports}>
      <h2>{texts.yourReports}</h2>
      {reports?.length === 0 && <p className={styles.hint}>{texts.noReport}</p>}
      {reports && reports.length > 0 && (
        <ul className={styles.list}>
          {reports.map((report) => (
            <li key={report.id} data-row tabIndex={-1} className={styles.item}>
              <header>
                <strong>
                  <Reported report={report} />
                </strong>
                <span className={styles.hint}>{reasonName(report.reason)}</span>
                <TimeAgo date={report.createdAt} className={styles.hint} />
                <Status tone={reportStates[report.status][0]}>{reportStates[report.status][1]}</Status>
              </header>
              {report.comment && (
                <p dir="auto" className={styles.text}>
                  {report.comment}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
    </section>
  );
}

/** A link to the reported subject, unless moderators acted on it: then it may no longer exist. */
function Reported({ report: { subjectType, subjectId, status } }: { report: ReportPartsFragment }) {
  const name = subjectNames[subjectType];
  if (subjectType === 'AGENT' && status !== 'ACTIONED')
    return (
      <Link to="/marketplace/$slugOrId" params={{ slugOrId: subjectId }}>
        {name}
      </Link>
    );
  if (subjectType === 'ROOM' && status !== 'ACTIONED')
    return (
      <Link to="/rooms/$roomId" params={{ roomId: subjectId }}>
        {name}
      </Link>
    );
  return name;
}

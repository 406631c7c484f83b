import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ModerationCaseDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Chip, Status } from '../parts/figures/status.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import type { CaseFile } from './case-file.ts';
import { DecisionForm } from './decision-form.tsx';
import { DecisionItem } from './decision-item.tsx';
import { markName, reasonName, reportStates, subjectNames, subjectState } from './names.ts';
import { SubjectPicture } from './subject-picture.tsx';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

/** Maximum number of reports and of decisions that a case shows. */
const shown = 100;

/** A moderation case: its subject, the reports and the decision. */
export function CasePage() {
  const { subjectType, subjectId } = useParams({ from: '/frame/moderation/$subjectType/$subjectId' });
  // The loader fetches the case on each visit. A refetch here would be recorded as another access.
  const { data } = useSuspenseQuery({
    ...query(ModerationCaseDocument, { subjectType, subjectId }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const file = data.moderationCase;
  const { subject, decisions } = file;
  const kind = subjectNames[file.case.subjectType];
  return (
    <Page title={subject?.title || texts.caseOf(kind)} lead={<Facts file={file} />}>
      <Subject file={file} />
      <Reports file={file} />
      <DecisionForm key={file.case.updatedAt} file={file} />
      {decisions.length > 0 && (
        <section className={styles.section} aria-label={texts.decisions}>
          <h2>{texts.decisions}</h2>
          <ul className={styles.list}>
            {decisions.map((decision) => (
              <li key={decision.id}>
                <DecisionItem decision={decision} />
              </li>
            ))}
          </ul>
          {decisions.length === shown && <p className={styles.hint}>{texts.newestHundred}</p>}
        </section>
      )}
      <ApiNote tag="moderation" path={`/v1/moderation/cases/${subjectType}/${subjectId}`} isForSession />
    </Page>
  );
}

function Facts({ file: { case: found, subject } }: { file: CaseFile }) {
  const [tone, name] = subjectState(subject?.state ?? '');
  return (
    <span className={styles.facts}>
      <span>{subjectNames[found.subjectType]}</span>
      {found.author && (
        <Link to="/users/$username" params={{ username: found.author.username }}>
          <bdi>{found.author.displayName ?? found.author.username}</bdi>
        </Link>
      )}
      {subject && <Status tone={tone}>{name}</Status>}
      {!found.open && <span>{texts.closedCase}</span>}
      {found.marks.map((mark) => (
        <Chip key={mark}>{markName(mark)}</Chip>
      ))}
    </span>
  );
}

function Subject({ file: { case: found, subject } }: { file: CaseFile }) {
  const { subjectType, subjectId } = found;
  const isListed = subjectType === 'AGENT' && (subject?.state === 'ok' || subject?.state === 'held');
  return (
    <section className={styles.section} aria-label={texts.whatWasReported}>
      <h2>{texts.whatWasReported}</h2>
      {subject ? (
        <div className={styles.subject}>
          <SubjectPicture {...subject} />
          {subject.text === '' ? (
            <p className={styles.hint}>{texts.noText}</p>
          ) : (
            // Focusable, so that the keyboard can scroll a long text.
            <p dir="auto" className={styles.content} tabIndex={0}>
              {subject.text}
            </p>
          )}
          {isListed && (
            <Link to="/marketplace/$slugOrId" params={{ slugOrId: subjectId }}>
              {texts.openInMarketplace}
            </Link>
          )}
        </div>
      ) : (
        <p className={styles.hint}>{texts.gone}</p>
      )}
      <p className={styles.hint}>{texts.everyLook}</p>
    </section>
  );
}

const Reports = ({ file: { reports } }: { file: CaseFile }) => (
  <section className={styles.section} aria-label={texts.reports}>
    <h2>{texts.reports}</h2>
    {reports.length === 0 && <p className={styles.hint}>{texts.noReportHere}</p>}
    {reports.length > 0 && (
      <ul className={styles.list}>
        {reports.map(({ id, reason, comment, status, createdAt }) => (
          <li key={id} className={styles.item}>
            <header>
              <strong>{reasonName(reason)}</strong>
              <Status tone={reportStates[status][0]}>{reportStates[status][1]}</Status>
              <TimeAgo date={createdAt} className={styles.hint} />
            </header>
            {comment && (
              <p dir="auto" className={styles.text}>
                {comment}
              </p>
            )}
          </li>
        ))}
      </ul>
    )}
    {reports.length === shown && <p className={styles.hint}>{texts.newestHundred}</p>}
  </section>
);

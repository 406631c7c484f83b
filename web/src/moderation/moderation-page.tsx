import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Gavel } from 'lucide-react';
import {
  type CasePartsFragment,
  type ModerationCaseState,
  ModerationCasesDocument,
} from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { count } from '../parts/values/count.ts';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { Chip } from '../parts/figures/status.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { DeskTabs } from './desk-tabs.tsx';
import { markName, subjectNames } from './names.ts';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

const empty: Readonly<Record<ModerationCaseState, readonly [title: string, text: string]>> = {
  OPEN: [texts.noCase, texts.noCaseText],
  APPEALED: [texts.noAppeal, texts.noAppealText],
  CLOSED: [texts.noClosed, texts.noClosedText],
};

/** The moderators' cases: open ones, pending appeals, and decided ones. */
export function ModerationPage() {
  const { state = 'OPEN' } = useSearch({ from: '/frame/moderation' });
  const list = useInfiniteQuery(
    pagedQuery(ModerationCasesDocument, { state }, ({ moderationCases: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const cases = list.data?.pages.flatMap((page) => page.moderationCases.data);
  const [title, text] = empty[state];
  return (
    <Page title={texts.moderation} lead={texts.moderationLead} tabs={<DeskTabs />}>
      {cases?.length === 0 && (
        <EmptyState icon={<Gavel size={20} />} title={title}>
          {text}
        </EmptyState>
      )}
      {cases && cases.length > 0 && (
        <div className={styles.section}>
          <p className={styles.hint}>{texts.cases(list.data?.pages[0]?.moderationCases.total ?? cases.length)}</p>
          <DataTable label={texts.moderation} columns={columnsOf(state)} rows={cases} idOf={idOf} />
        </div>
      )}
      <ListStates list={list} height={44} />
      <ApiNote tag="moderation" path={`/v1/moderation/cases?state=${state.toLowerCase()}`} isForSession />
    </Page>
  );
}

type Row = CasePartsFragment;

const idOf = ({ subjectType, subjectId }: Row): string => `${subjectType}:${subjectId}`;

const columnsOf = (state: ModerationCaseState): readonly Column<Row>[] => [
  {
    title: texts.subject,
    render: ({ subjectType, subjectId, author }) => (
      // No preload on hover: each read of a case is recorded as an access.
      <Link
        to="/moderation/$subjectType/$subjectId"
        params={{ subjectType: subjectType.toLowerCase(), subjectId }}
        preload={false}
      >
        <span>
          {subjectNames[subjectType]}
          {author && (
            <>
              {' · '}
              <bdi>{author.displayName ?? author.username}</bdi>
            </>
          )}
        </span>
      </Link>
    ),
  },
  {
    title: texts.why,
    width: '300px',
    isMinor: true,
    render: ({ marks, reporterCount, appealedAt }) => (
      <span className={styles.marks}>
        {appealedAt && <Chip>{texts.appeal}</Chip>}
        {reporterCount > 0 && <Chip>{texts.reportedBy(reporterCount)}</Chip>}
        {marks.map((mark) => (
          <Chip key={mark}>{markName(mark)}</Chip>
        ))}
      </span>
    ),
  },
  { title: texts.reports, width: '84px', align: 'end', isMinor: true, render: ({ reportCount }) => count(reportCount) },
  {
    title: state === 'CLOSED' ? texts.decidedLast : texts.since,
    width: '140px',
    align: 'end',
    render: ({ appealedAt, openedAt, updatedAt }) => {
      const since = state === 'APPEALED' ? (appealedAt ?? openedAt) : openedAt;
      return <TimeAgo date={state === 'CLOSED' ? updatedAt : since} />;
    },
  },
];

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type DecisionPartsFragment, OwnDecisionsDocument } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { Button } from '../parts/controls/button.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { serviceNow } from '../api/service-time.ts';
import { AppealDialog } from './appeal-dialog.tsx';
import { DecisionItem } from './decision-item.tsx';
import { subjectNames } from './names.ts';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

/** Decisions about the person's content, with their reasons and a way to appeal. */
export function OwnDecisions() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [appealedId, setAppealedId] = useState<string | null>(null);
  const list = useInfiniteQuery(
    pagedQuery(OwnDecisionsDocument, {}, ({ moderationDecisions: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const decisions = list.data?.pages.flatMap((page) => page.moderationDecisions.data);
  return (
    <section className={styles.section} aria-label={texts.decisions}>
      <h2 ref={heading} tabIndex={-1}>
        {texts.decisions}
      </h2>
      <p className={styles.hint}>{decisions?.length === 0 ? texts.noDecision : texts.decisionsEffect}</p>
      {decisions && decisions.length > 0 && (
        <ul className={styles.list}>
          {decisions.map((decision) => (
            <li key={decision.id} data-row tabIndex={-1}>
              <DecisionItem isOwn decision={decision} subject={<OwnSubject decision={decision} />}>
                <AppealOffer decision={decision} onAppeal={() => setAppealedId(decision.id)} />
              </DecisionItem>
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
      <AppealDialog decisionId={appealedId} list={heading} onClose={() => setAppealedId(null)} />
    </section>
  );
}

const appealMs = 180 * 24 * 3_600_000;
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });

function AppealOffer({ decision, onAppeal }: { decision: DecisionPartsFragment; onAppeal: () => void }) {
  const [now] = useState(serviceNow);
  const { action, appeal, createdAt } = decision;
  const end = Date.parse(createdAt) + appealMs;
  if (appeal || action === 'NONE' || action === 'RESTORE' || end <= now) return null;
  return (
    <div className={styles.offer}>
      <Button size="small" onClick={onAppeal}>
        {texts.appeal}
      </Button>
      <span className={styles.hint}>{texts.appealUntil(days.format(end))}</span>
    </div>
  );
}

/** A link to the subject of a decision, unless the decision removed it. */
function OwnSubject({ decision: { subjectType, subjectId, action } }: { decision: DecisionPartsFragment }) {
  const name = subjectNames[subjectType];
  if (subjectType === 'AGENT')
    return (
      <Link to="/agents/$agentId/edit" params={{ agentId: subjectId }}>
        {name}
      </Link>
    );
  if (subjectType === 'USER') return <Link to="/settings/profile">{name}</Link>;
  if (subjectType === 'SHARE') return <Link to="/settings/sharing">{name}</Link>;
  if (subjectType === 'ROOM' && action !== 'REMOVE')
    return (
      <Link to="/rooms/$roomId" params={{ roomId: subjectId }}>
        {name}
      </Link>
    );
  return name;
}

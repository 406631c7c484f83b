import { useQuery } from '@tanstack/react-query';
import { AgentVersionChangesDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { common } from '../parts/common-texts.ts';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { diffLines } from './line-diff.ts';
import { texts } from './texts.ts';
import styles from './studio.module.css';

interface VersionChangesProps {
  agentId: string;
  versionId: string;
  live: { id: string; number: number };
}

const fieldNames: Readonly<Record<string, string>> = {
  instructions: texts.instructions,
  model: texts.model,
  greeting_message: texts.greeting,
  voice_id: common.voice,
};
const marks = { same: ' ', added: '+', removed: '−' } as const;
const spoken = { same: '', added: texts.added, removed: texts.removed } as const;

/** Line diff between the live version and another one. */
export function VersionChanges({ agentId, versionId, live }: VersionChangesProps) {
  const comparison = useQuery(query(AgentVersionChangesDocument, { agentId, versionId, compareTo: live.id }));
  const states = <QueryStates query={comparison} lines={['60%', '80%']} />;
  if (!comparison.data) return states;
  const { number, changes } = comparison.data.agentVersion;
  if (!changes?.length) return <p className={styles.hint}>{texts.versionBehavesLikeLive(number)}</p>;
  return (
    <div className={styles.changes}>
      {states}
      <p className={styles.hint}>{texts.versionLiveVersion(live.number, number)}</p>
      {changes.map(({ field, before, after }) => (
        <section key={field} aria-label={fieldNames[field] ?? field}>
          <h2>{fieldNames[field] ?? field}</h2>
          <pre className={styles.diff} tabIndex={0}>
            {diffLines(before ?? '', after ?? '').map(({ kind, text }, index) => (
              <span key={index} data-kind={kind}>
                <span aria-hidden="true">{marks[kind]} </span>
                <span className={styles.spoken}>{spoken[kind]}</span>
                {text || ' '}
                {'\n'}
              </span>
            ))}
          </pre>
        </section>
      ))}
    </div>
  );
}

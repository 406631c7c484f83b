import { useQuery } from '@tanstack/react-query';
import { AgentListingDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { DecisionsLink } from './decisions-link.tsx';
import { texts } from './texts.ts';
import styles from './agents.module.css';

/** Notice that moderators hold or removed the agent, with a link to the decision. */
export function HeldNote({ agentId }: { agentId: string }) {
  const { data } = useQuery(query(AgentListingDocument, { agentId }));
  const status = data?.agentListing.status;
  if (status !== 'HELD' && status !== 'REMOVED') return null;
  return (
    <p className={styles.held} role="status">
      {status === 'HELD' ? texts.agentHeld : texts.agentRemoved} <DecisionsLink />
    </p>
  );
}

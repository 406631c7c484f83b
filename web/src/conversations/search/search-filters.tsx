import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ConversationAgentsDocument } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { useOwnAgents } from '../../api/use-own-agents.ts';
import { common } from '../../parts/common-texts.ts';
import { texts as shared } from '../texts.ts';
import { texts } from './texts.ts';
import styles from './search-page.module.css';

const spans = [
  [7, shared.last7Days],
  [30, texts.last30Days],
  [365, texts.lastYear],
] as const;

/** Filters of the search. The address holds them. */
export function SearchFilters() {
  const { agent, days } = useSearch({ from: '/frame/search' });
  const navigate = useNavigate({ from: '/search' });
  const agents = [...(useOwnAgents() ?? []), ...useOthersAgents()];
  const set = (part: { agent?: string | undefined; days?: number | undefined }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  return (
    <div className={styles.filters}>
      <select
        aria-label={common.agent}
        value={agent ?? ''}
        onChange={({ target }) => set({ agent: target.value || undefined })}
      >
        <option value="">{texts.allAgents}</option>
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.time}
        value={days ?? ''}
        onChange={({ target }) => set({ days: Number(target.value) || undefined })}
      >
        <option value="">{texts.anyTime}</option>
        {spans.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Returns the agents of others in the last hundred conversations. */
function useOthersAgents(): { id: string; name: string }[] {
  const { data } = useQuery(query(ConversationAgentsDocument, {}));
  const found = data?.conversations.data.flatMap(({ agent }) => (agent && !agent.isMine ? [agent] : [])) ?? [];
  return [...new Map(found.map((agent) => [agent.id, agent])).values()];
}

import { Switch } from '@base-ui/react/switch';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { type AgentFieldsFragment, UpdateAgentDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { fillIn } from '../parts/values/fill-in.tsx';
import type { AgentValues } from './agent-values.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { refreshAgents } from './refresh-agents.ts';
import { texts } from './texts.ts';
import styles from './agents.module.css';

interface PublishSwitchProps {
  /** Absent for a new agent. */
  agent?: AgentFieldsFragment | undefined;
  values: AgentValues;
  onChange: (isPublic: boolean) => void;
}

/** Public or private. A change applies immediately, except to a new agent, which has to be saved first. */
export function PublishSwitch({ agent, values, onChange }: PublishSwitchProps) {
  const cache = useQueryClient();
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  const { isPublic } = values;
  const agentId = agent?.id;
  const publish = async (): Promise<void> => {
    if (agentId === undefined) return onChange(!isPublic);
    await request(UpdateAgentDocument, { id: agentId, input: { isPublic: !isPublic } });
    await refreshAgents(cache);
  };
  return (
    <div className={styles.switchRow}>
      <Switch.Root
        className={styles.switch}
        checked={isPublic}
        onCheckedChange={() => setAsking(true)}
        aria-labelledby={id}
      >
        <Switch.Thumb className={styles.thumb} />
      </Switch.Root>
      <div>
        <span id={id}>{texts.public}</span>
        <p className={styles.hint}>{texts.everyoneFindTalk}</p>
        {!agent && <p className={styles.hint}>{texts.publishedWhenSaved}</p>}
        {agentId && (
          <p className={styles.hint}>
            {fillIn(texts.whatMarketplaceShows, {
              listing: (
                <Link to="/agents/$agentId/listing" params={{ agentId }}>
                  {texts.listingOfAgent}
                </Link>
              ),
            })}
          </p>
        )}
      </div>
      <PublishDialog
        isOpen={isAsking}
        agent={agent ?? values}
        isPublic={isPublic}
        onConfirm={publish}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

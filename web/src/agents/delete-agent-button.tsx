import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AgentFieldsFragment, DeleteAgentDocument } from '../api/generated/operations.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { drafts } from '../chat/drafts/drafts.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { texts } from './texts.ts';
import styles from './agents.module.css';

/** Deletes an agent. The person confirms by typing its name. */
export function DeleteAgentButton({ agent }: { agent: AgentFieldsFragment }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const open = (): void => {
    setTyped('');
    setOpen(true);
  };
  const remove = async (): Promise<void> => {
    await requestRemoval(DeleteAgentDocument, { id: agent.id });
    drafts.remove(`agent:${agent.id}`);
    await navigate({ to: '/agents', ignoreBlocker: true });
    await cache.invalidateQueries();
  };
  return (
    <>
      <Button onClick={open}>{common.delete}</Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={texts.deleteAgent}
        description={<>{fillIn(texts.allConversationsAlsoThose, { name: <bdi>{agent.name}</bdi> })}</>}
        action={common.delete}
        isDisabled={typed.trim() !== agent.name}
        onConfirm={remove}
        onClose={() => setOpen(false)}
      >
        <label className={styles.filters}>
          <span className={styles.hint}>{fillIn(texts.typeConfirm, { name: <bdi>{agent.name}</bdi> })}</span>
          <input dir="auto" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </label>
      </ConfirmDialog>
    </>
  );
}

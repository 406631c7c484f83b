import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import {
  AgentDocument,
  type AgentQuery,
  CreateAgentDocument,
  UpdateAgentDocument,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { drafts } from '../chat/drafts/drafts.ts';
import { useChanges } from '../chat/drafts/use-changes.ts';
import { AgentPicture } from '../images/agent-picture.tsx';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { LeaveGuard } from '../parts/controls/leave-guard.tsx';
import { Page } from '../parts/page/page.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { useShortcuts } from '../preferences/shortcuts.ts';
import { ShareAgent } from '../social/share-agent.tsx';
import { AgentForm } from './agent-form.tsx';
import { AgentPreview } from './agent-preview.tsx';
import { AgentTabs } from './agent-tabs.tsx';
import { type AgentValues, emptyAgent, changedInput, inputOf, templates, valuesOf } from './agent-values.ts';
import { EditorPanes } from './editor-panes.tsx';
import { DeleteAgentButton } from './delete-agent-button.tsx';
import { HeldNote } from './held-note.tsx';
import { refreshAgents } from './refresh-agents.ts';
import { texts } from './texts.ts';
import styles from './agents.module.css';

export function NewAgentPage() {
  const { template } = useSearch({ from: '/frame/agents/new' });
  const chosen = templates.find(({ title }) => title === template);
  const draft = `agent:new:${template ?? ''}`;
  const navigate = useNavigate();
  return (
    <Page isWide title={texts.newAgent} lead={texts.onlyNameInstructionsNeeded}>
      <AgentEditor
        initial={{ ...emptyAgent, ...chosen?.values }}
        draft={draft}
        save={async (values) => {
          const sent = drafts.get(draft);
          const { createAgent } = await request(CreateAgentDocument, { input: inputOf(values) });
          // Text typed while the agent was created becomes an unsaved change of it.
          if (drafts.get(draft) !== sent) drafts.move(draft, `agent:${createAgent.id}`);
          await navigate({ to: '/agents/$agentId/edit', params: { agentId: createAgent.id }, replace: true });
        }}
      />
      <ApiNote
        tag="agents"
        method="POST"
        path="/v1/agents"
        body={{ name: texts.exampleName, instructions: texts.exampleInstructions }}
      />
    </Page>
  );
}

export function EditAgentPage() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId/edit' });
  const { agent } = useSuspenseQuery(query(AgentDocument, { id: agentId })).data;
  return (
    <Page
      isWide
      title={agent.name}
      tabs={<AgentTabs agentId={agentId} />}
      action={
        <>
          <DeleteAgentButton agent={agent} />
          {agent.isPublic && <ShareAgent agentId={agentId} />}
          <ButtonLink to="/chat" search={{ agent: agentId }}>
            {texts.startChat}
          </ButtonLink>
        </>
      }
    >
      <HeldNote agentId={agentId} />
      <AgentEditor
        key={agentId}
        agent={agent}
        initial={valuesOf(agent)}
        draft={`agent:${agentId}`}
        save={(values, changes) => request(UpdateAgentDocument, { id: agentId, input: changedInput(values, changes) })}
      />
      <ApiNote tag="agents" method="PUT" path={`/v1/agents/${agentId}`} body={{ name: agent.name }} />
    </Page>
  );
}

interface AgentEditorProps {
  /** Absent for a new agent. */
  agent?: AgentQuery['agent'];
  initial: AgentValues;
  draft: string;
  save: (values: AgentValues, changes: Partial<AgentValues>) => Promise<unknown>;
}

/** The form beside a preview of its values. Unsaved changes are kept on this device. */
function AgentEditor({ agent, initial, draft, save }: AgentEditorProps) {
  const cache = useQueryClient();
  const { values, changes, isDirty, stored, change, discard } = useChanges(draft, initial);
  const form = useRef<HTMLFormElement>(null);
  const {
    save: send,
    isPending,
    error,
    errors,
  } = useSave(async () => {
    await save(values, changes);
    await refreshAgents(cache);
    // Text typed while the agent was saved stays an unsaved change.
    if (drafts.get(draft) === stored) discard();
    notify(common.saved);
  });
  const onSave = (): void => send(form.current ?? undefined);
  useShortcuts({ 'mod+s': onSave });
  const fields = (
    <AgentForm ref={form} agent={agent} values={values} errors={errors} onChange={change} onSave={onSave}>
      <LeaveGuard isDirty={isDirty && !isPending} />
      <div className={styles.bar} data-sticky-end>
        {error && <ErrorNote error={error} />}
        <span className={styles.state} role="status">
          {isDirty ? texts.unsavedChangesKeptDevice : ''}
        </span>
        {isDirty && (
          <Button variant="quiet" onClick={discard}>
            {texts.discard}
          </Button>
        )}
        <Button type="submit" variant="primary" isBusy={isPending}>
          {common.save}
        </Button>
      </div>
    </AgentForm>
  );
  return (
    <EditorPanes
      picture={agent && <AgentPicture agent={agent} />}
      form={fields}
      preview={<AgentPreview values={values} agentId={agent?.id} />}
    />
  );
}

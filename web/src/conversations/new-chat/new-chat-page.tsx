import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, CodeXml } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { asApiError } from '../../api/api-error.ts';
import { ChatAgentDocument } from '../../api/generated/operations.ts';
import { ownAgentsQuery } from '../../api/own-agents.ts';
import { query } from '../../api/query.ts';
import { takeQuestion } from '../../chat/replies/asked.ts';
import { Composer, type ComposerHandle } from '../../chat/composer/composer.tsx';
import { drafts } from '../../chat/drafts/drafts.ts';
import { Recorder } from '../../chat/composer/recorder.tsx';
import { ApiDialog } from '../../parts/page/api-dialog.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { ButtonLink } from '../../parts/controls/button-link.tsx';
import { common } from '../../parts/common-texts.ts';
import { EmptyState } from '../../parts/lists/empty-state.tsx';
import { ErrorNote } from '../../parts/lists/error-note.tsx';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { notify } from '../../parts/layers/toast-store.ts';
import { AgentChooser } from './agent-chooser.tsx';
import { lastAgentKey, newChatWith } from './first-messages.ts';
import { GreetingPanel } from './greeting-panel.tsx';
import { texts as shared } from '../texts.ts';
import { texts } from './texts.ts';
import { UsageNote } from '../thread/usage-note.tsx';
import { useFirstMessages } from './use-first-messages.ts';
import threadStyles from '../../chat/thread/thread.module.css';
import messageStyles from '../../chat/thread/message.module.css';
import pageStyles from '../conversation-page.module.css';
import styles from './new-chat-page.module.css';

/** A new chat. The conversation is created with its first message, so that no empty ones remain. */
export function NewChatPage() {
  const { agent: asked } = useSearch({ from: '/frame/chat' });
  const { agents } = useSuspenseQuery(ownAgentsQuery()).data;
  const [goneIds, setGoneIds] = useState<readonly string[]>([]);
  const last = localStorage.getItem(lastAgentKey);
  const choice = new Set([asked, last, agents.data[0]?.id]);
  const [agentId, otherId] = [...choice].filter((id) => id && !goneIds.includes(id));
  if (!agentId) return <NoAgents />;
  // The asked or the last chosen agent may no longer exist. Text typed for it moves to the next one.
  const leave = (): void => {
    if (agentId === last) localStorage.removeItem(lastAgentKey);
    if (otherId) drafts.move(newChatWith(agentId), newChatWith(otherId));
    if (agentId === asked) notify(texts.agentGone);
    setGoneIds([...goneIds, agentId]);
  };
  return <ChatWith key={agentId} agentId={agentId} onGone={leave} />;
}

function ChatWith({ agentId, onGone }: { agentId: string; onGone: () => void }) {
  const navigate = useNavigate();
  const composer = useRef<ComposerHandle>(null);
  const { sent, isWaiting, draft, begin, takeBack } = useFirstMessages(agentId);
  const [isApiOpen, setApiOpen] = useState(false);
  const { data, error, refetch } = useQuery(query(ChatAgentDocument, { id: agentId }));
  const agent = data?.agent;
  useEffect(() => {
    const question = takeQuestion(agentId);
    if (question !== null) begin(question);
  });
  const isGone = asApiError(error).code === 'NOT_FOUND';
  useEffect(() => {
    if (isGone) onGone();
  });
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.header}>
        <PageTitle title={shared.newChat} isHidden />
        <AgentChooser
          agent={agent ?? null}
          onChoose={(id) => void navigate({ to: '/chat', search: { agent: id }, replace: true })}
        />
        <IconButton label={common.sameApi} onClick={() => setApiOpen(true)}>
          <CodeXml size={18} />
        </IconButton>
        <ApiDialog
          isOpen={isApiOpen}
          onClose={() => setApiOpen(false)}
          call={{ tag: 'conversations', method: 'POST', path: '/v1/conversations', body: { agent_id: agentId } }}
        />
      </header>
      <div className={styles.middle}>
        {sent.map(({ key, content }, index) => (
          <article
            key={key}
            className={`${messageStyles.user} ${styles.sent}`}
            aria-label={shared.you}
            aria-busy={!isWaiting}
          >
            <div className={messageStyles.bubble} dir="auto">
              {content}
            </div>
            {isWaiting && (
              <p className={threadStyles.note} role="status">
                {index === 0 ? shared.waitingNetwork : shared.waitingSent}
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() => {
                    takeBack(key);
                    composer.current?.insert(content);
                  }}
                >
                  {shared.takeMessageBack}
                </Button>
              </p>
            )}
          </article>
        ))}
        {error && !isGone && !agent && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {sent.length === 0 && agent && <GreetingPanel agent={agent} onStart={begin} />}
      </div>
      <div className={pageStyles.foot}>
        <UsageNote />
        <Composer
          handle={composer}
          draft={draft}
          isWriting={false}
          placeholder={agent ? shared.writeTo(agent.name) : texts.writeMessage}
          autoFocus={!matchMedia('(pointer: coarse)').matches}
          tools={<Recorder draft={draft} composer={composer} />}
          onSend={begin}
        />
      </div>
    </div>
  );
}

const NoAgents = () => (
  <EmptyState
    icon={<Bot size={22} />}
    title={texts.whomWantTalk}
    action={
      <div className={styles.actions}>
        <ButtonLink to="/agents/new" variant="primary">
          {texts.createAgent}
        </ButtonLink>
        <ButtonLink to="/explore">{texts.explorePublicAgents}</ButtonLink>
      </div>
    }
  >
    <PageTitle title={shared.newChat} isHidden />
    {texts.whatAgentIs} <a href="/docs/guide/agents">{common.readGuide}</a>
  </EmptyState>
);

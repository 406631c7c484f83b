import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, CodeXml } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { asApiError } from '../api/api-error.ts';
import {
  ChatAgentDocument,
  ConversationsDocument,
  CreateConversationDocument,
  MyChatAgentsDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { takeQuestion } from '../chat/asked.ts';
import { Composer, type ComposerHandle } from '../chat/composer.tsx';
import { drafts } from '../chat/drafts.ts';
import { Recorder } from '../chat/recorder.tsx';
import { ApiDialog } from '../parts/api-dialog.tsx';
import { ButtonLink } from '../parts/button-link.tsx';
import { common } from '../parts/common-texts.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { notifyFailure } from '../parts/toast-store.ts';
import { AgentChooser } from './agent-chooser.tsx';
import { GreetingPanel } from './greeting-panel.tsx';
import { send } from './replies.ts';
import { texts } from './texts.ts';
import { UsageNote } from './usage-note.tsx';
import messageStyles from '../chat/message.module.css';
import pageStyles from './conversation-page.module.css';
import styles from './new-chat-page.module.css';

const lastAgentKey = 'last-agent';

/** A new chat. The conversation is created with its first message, so that no empty ones remain. */
export function NewChatPage() {
  const { agent: asked } = useSearch({ from: '/frame/chat' });
  const { agents } = useSuspenseQuery(query(MyChatAgentsDocument, {})).data;
  const [goneId, setGoneId] = useState<string | null>(null);
  const choice = asked ? [asked] : [localStorage.getItem(lastAgentKey), agents.data[0]?.id];
  const [agentId, otherId] = choice.filter((id) => id && id !== goneId);
  // The last chosen agent may no longer exist. Text typed for it moves to the first agent.
  const leave = (): void => {
    localStorage.removeItem(lastAgentKey);
    if (otherId) drafts.move(`new:${agentId}`, `new:${otherId}`);
    setGoneId(agentId ?? null);
  };
  if (!agentId) return <NoAgents />;
  return <ChatWith key={agentId} agentId={agentId} onGone={leave} />;
}

function ChatWith({ agentId, onGone }: { agentId: string; onGone: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const composer = useRef<ComposerHandle>(null);
  const [sent, setSent] = useState<string | null>(null);
  const [draft, setDraft] = useState(`new:${agentId}`);
  const [isApiOpen, setApiOpen] = useState(false);
  const { data, error, refetch } = useQuery(query(ChatAgentDocument, { id: agentId }));
  const agent = data?.agent;
  const begin = async (content: string, onCreated?: (id: string) => void): Promise<void> => {
    try {
      const { createConversation } = await request(CreateConversationDocument, { input: { agentId } });
      localStorage.setItem(lastAgentKey, agentId);
      send(cache, createConversation.id, content);
      onCreated?.(createConversation.id);
      await navigate({ to: '/chat/$conversationId', params: { conversationId: createConversation.id } });
      void cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
    } catch (failure) {
      notifyFailure(texts.conversationNotStarted, failure);
      throw failure;
    }
  };
  const start = (content: string): Promise<void> => {
    setSent(content);
    // Text typed before the conversation is shown becomes its draft.
    const keepTyped = (id: string): void => {
      drafts.move(draft, id);
      setDraft(id);
    };
    return begin(content, keepTyped).catch((failure: unknown) => {
      setSent(null);
      throw failure;
    });
  };
  useEffect(() => {
    const question = takeQuestion(agentId);
    if (question !== null) begin(question).catch(() => composer.current?.insert(question));
  });
  const isGone = asApiError(error).code === 'NOT_FOUND';
  useEffect(() => {
    if (isGone) onGone();
  });
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.header}>
        <PageTitle title={texts.newChat} isHidden />
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
        {sent !== null && (
          <article className={`${messageStyles.user} ${styles.sent}`} aria-label={texts.you} aria-busy="true">
            <div className={messageStyles.bubble} dir="auto">
              {sent}
            </div>
          </article>
        )}
        {error && !isGone && !agent && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {sent === null && agent && (
          <GreetingPanel agent={agent} onStart={(content) => void start(content).catch(() => undefined)} />
        )}
      </div>
      <div className={pageStyles.foot}>
        <UsageNote />
        <Composer
          handle={composer}
          draft={draft}
          isWriting={false}
          placeholder={agent ? texts.writeTo(agent.name) : texts.writeMessage}
          autoFocus={!matchMedia('(pointer: coarse)').matches}
          tools={<Recorder onText={(text) => composer.current?.insert(text)} />}
          onSend={start}
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
    <PageTitle title={texts.newChat} isHidden />
    {texts.whatAgentIs}
  </EmptyState>
);

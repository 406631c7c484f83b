import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { asApiError } from '../api/api-error.ts';
import { Composer, type ComposerHandle } from '../chat/composer/composer.tsx';
import { useIsHeldUp, useIsWriting } from '../chat/replies/live-replies.ts';
import { Recorder } from '../chat/composer/recorder.tsx';
import { later } from '../parts/layers/later.ts';
import { OnceOpen } from '../parts/layers/once-open.tsx';
import { TalkButton } from '../voice/talk-button.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import { pickUp, readAlong, send, stop } from './thread/replies.ts';
import { type OpenedSource, OpenSource } from './sources/sources.ts';
import { texts } from './texts.ts';
import {
  conversationQuery,
  isHeadDropped,
  messagesQuery,
  prepareThread,
  reloadThread,
  showStored,
} from './thread/thread-query.ts';
import { Thread } from './thread/thread.tsx';
import { AfterScreen } from '../parts/after-screen.tsx';
import { UsageNote } from './thread/usage-note.tsx';
import styles from './conversation-page.module.css';

const DeletedConversation = later(() => import('./deleted-conversation.tsx'));
const TalkPanel = later(() => import('../voice/talk-panel.tsx'));
const SourcesPane = later(() => import('./sources/sources-pane.tsx'));

export function ConversationPage() {
  const { conversationId } = useParams({ from: '/frame/chat/$conversationId' });
  // The key remounts the page for another conversation, so that no state is carried over.
  return <OpenConversation key={conversationId} id={conversationId} />;
}

function OpenConversation({ id }: { id: string }) {
  const found = useSearch({ from: '/frame/chat/$conversationId' });
  const cache = useQueryClient();
  useState(() => prepareThread(cache, id, found.m));
  const { data, error } = useSuspenseQuery(conversationQuery(id));
  const { conversation } = data;
  const isWriting = useIsWriting(id);
  // Further messages can be queued behind one that waits.
  const isHeldUp = useIsHeldUp(id);
  // The focus would open the on-screen keyboard.
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const composer = useRef<ComposerHandle>(null);
  const [source, setSource] = useState<OpenedSource | null>(null);
  const [editingId, setEditingId] = useState<string | null>(null);
  const [talking, setTalking] = useState<'no' | 'yes' | 'ended'>('no');
  const agentName = conversation.agent?.name ?? texts.theAgent;
  const runningId = conversation.generation?.state === 'RUNNING' ? conversation.generation.id : null;
  useEffect(() => pickUp(cache, id, runningId), [cache, id, runningId]);
  const editLast = async (): Promise<void> => {
    if (isWriting) return;
    if (isHeadDropped(cache, id)) await reloadThread(cache, id);
    const [newest] = cache.getQueryData(messagesQuery(id).queryKey)?.pages ?? [];
    const last = newest?.messages.data.find(({ role }) => role === 'USER');
    if (last) setEditingId(last.id);
  };
  if (error && asApiError(error).code === 'NOT_FOUND')
    return (
      <Suspense>
        <DeletedConversation conversation={conversation} />
      </Suspense>
    );
  return (
    <OpenSource value={setSource}>
      <div className={styles.split}>
        <div className={styles.page}>
          <ConversationHeader conversation={conversation} />
          <Thread
            conversation={conversation}
            found={found}
            editingId={editingId}
            isTalking={talking === 'yes'}
            onEdit={setEditingId}
            onTakeBack={(content) => composer.current?.insert(content)}
            onFocusLost={() => !isTouch && composer.current?.focus()}
          />
          <div className={styles.foot}>
            <AfterScreen>
              <UsageNote />
            </AfterScreen>
            {talking === 'yes' ? (
              <OnceOpen isOpen onClose={() => setTalking('no')}>
                <TalkPanel
                  conversationId={id}
                  agentName={agentName}
                  onMessage={() => void showStored(cache, id).catch(() => undefined)}
                  onReply={(generationId) => readAlong(cache, id, generationId)}
                  onEnd={() => setTalking('ended')}
                />
              </OnceOpen>
            ) : (
              <Composer
                handle={composer}
                draft={id}
                isWriting={isWriting && !isHeldUp}
                placeholder={texts.writeTo(agentName)}
                autoFocus={!isTouch}
                tools={
                  <>
                    <Recorder draft={id} composer={composer} />
                    <TalkButton autoFocus={talking === 'ended'} onTalk={() => setTalking('yes')} />
                  </>
                }
                onSend={(content) => send(cache, id, { content })}
                onStop={() => void stop(id)}
                onEditLast={() => void editLast()}
              />
            )}
          </div>
        </div>
        <OnceOpen isOpen={source !== null} onClose={() => setSource(null)}>
          <SourcesPane conversationId={id} opened={source} onClose={() => setSource(null)} />
        </OnceOpen>
      </div>
    </OpenSource>
  );
}

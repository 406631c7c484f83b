import { RotateCcw } from 'lucide-react';
import { Composer } from '../chat/composer/composer.tsx';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { ReplyAnnouncer } from '../chat/replies/reply-announcer.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import type { AgentValues } from './agent-values.ts';
import { texts } from './texts.ts';
import messageStyles from '../chat/thread/message.module.css';
import styles from './agent-preview.module.css';
import { usePreview } from './use-preview.ts';

interface AgentPreviewProps {
  values: AgentValues;
  /** The agent whose documents the preview uses; absent for a new agent. */
  agentId?: string | undefined;
}

/** A chat with the agent as it is in the form. Nothing is stored, but messages count toward the daily limit. */
export function AgentPreview({ values, agentId }: AgentPreviewProps) {
  const draft = `preview:${agentId ?? 'new'}`;
  const { turns, reply, send, stop, retry, clear } = usePreview(values, agentId, draft);
  const name = values.name.trim() || common.agent;
  const hasFailed = reply?.status === 'failed';
  const isWriting = reply !== null && !hasFailed && reply.stored === null;
  const count = turns.length + (reply ? 1 : 0);
  const onSend = (content: string): void => {
    if (values.instructions.trim() !== '') return send(content);
    notify(texts.writeInstructionsFirst);
    throw new Error(texts.noInstructions);
  };
  return (
    <section className={styles.preview} aria-label={texts.preview}>
      <header className={styles.header}>
        <div>
          <h2>{texts.preview}</h2>
          <p>{texts.tryBeforeSaveNothing}</p>
        </div>
        {count > 0 && (
          <IconButton size="small" label={texts.startOver} onClick={clear}>
            <RotateCcw size={16} />
          </IconButton>
        )}
      </header>
      <div
        key={count}
        className={styles.thread}
        ref={toEnd}
        role="log"
        aria-live="off"
        tabIndex={0}
        aria-label={common.messages}
      >
        {values.greetingMessage.trim() && <Reply name={name} text={values.greetingMessage} isComplete />}
        {turns.map(({ role, content }, index) =>
          role === 'USER' ? (
            <Question key={index} text={content} />
          ) : (
            <Reply key={index} name={name} text={content} isComplete />
          ),
        )}
        {reply?.question && <Question text={reply.question} />}
        {reply && (reply.text !== '' || !hasFailed) && <Reply name={name} text={reply.text} isComplete={!isWriting} />}
        {reply?.error && <ErrorNote error={reply.error} onRetry={retry} />}
      </div>
      <ReplyAnnouncer agentName={name} live={reply} />
      <Composer draft={draft} placeholder={texts.tryMessage} isWriting={isWriting} onSend={onSend} onStop={stop} />
    </section>
  );
}

/** A ref callback: runs when a message is added and the thread remounts, so a growing reply does not scroll. */
const toEnd = (thread: HTMLElement | null): void => thread?.scrollTo(0, thread.scrollHeight);

const Question = ({ text }: { text: string }) => (
  <article className={styles.question} aria-label={texts.you} dir="auto">
    {text}
  </article>
);

const Reply = ({ name, text, isComplete }: { name: string; text: string; isComplete: boolean }) => (
  <article className={styles.reply} aria-label={name} aria-busy={!isComplete}>
    <Avatar name={name} size={22} />
    <div>
      <Markdown text={text} isComplete={isComplete} />
      {!isComplete && <span className={messageStyles.caret} aria-hidden="true" />}
    </div>
  </article>
);

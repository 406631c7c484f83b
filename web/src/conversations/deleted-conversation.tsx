import { Copy, Trash2 } from 'lucide-react';
import type { ConversationQuery } from '../api/generated/operations.ts';
import { useUnsent } from '../chat/drafts/drafts.ts';
import { useDraft } from '../chat/drafts/use-draft.ts';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { copyText } from '../parts/values/copy-text.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { Page } from '../parts/page/page.tsx';
import { texts } from './texts.ts';
import styles from '../chat/thread/thread.module.css';

/** Shown when an open conversation is deleted elsewhere: what was not sent stays, to be copied. */
export default function DeletedConversation({ conversation }: { conversation: ConversationQuery['conversation'] }) {
  const { id, title, agent } = conversation;
  const [draft] = useDraft(id);
  const unsent = [...useUnsent(id).map(({ content }) => content), draft].filter((text) => text.trim() !== '');
  return (
    <Page title={title ?? texts.newConversation}>
      <div role="alert">
        <EmptyState
          icon={<Trash2 size={20} />}
          title={texts.conversationDeleted}
          action={
            <ButtonLink to="/chat" search={{ agent: agent?.id }} variant="primary">
              {texts.newChat}
            </ButtonLink>
          }
        >
          {unsent.length > 0 ? texts.notSentYet : texts.deletedElsewhere}
        </EmptyState>
      </div>
      {unsent.length > 0 && (
        <ul className={styles.queue} aria-label={texts.unsentMessages}>
          {unsent.map((text, index) => (
            <li key={index} className={styles.queued}>
              <p dir="auto">{text}</p>
              <IconButton size="small" label={texts.copy} onClick={() => void copyText(text)}>
                <Copy size={16} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

import { type KeyboardEvent, useState } from 'react';
import { useDraft } from '../../chat/drafts/use-draft.ts';
import { common } from '../../parts/common-texts.ts';
import { isComposing } from '../../parts/controls/is-composing.ts';
import { Button } from '../../parts/controls/button.tsx';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/message.module.css';

interface EditMessageFormProps {
  messageId: string;
  content: string;
  onSave: (content: string) => void;
  onCancel: () => void;
}

/** Name under which the text of an edit is stored. */
export const editDraft = (messageId: string): string => `edit:${messageId}`;

/** Edits a sent message. The edit creates a branch; the original stays. */
export function EditMessageForm({ messageId, content, onSave, onCancel }: EditMessageFormProps) {
  const [draft, setDraft] = useDraft(editDraft(messageId));
  const [isTouched, setTouched] = useState(false);
  const text = isTouched ? draft : draft || content;
  const cancel = (): void => {
    setDraft('');
    onCancel();
  };
  const save = (): void => {
    if (text.trim() === '') return;
    setDraft('');
    onSave(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') cancel();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
  };
  return (
    <div className={styles.edit}>
      <textarea
        aria-label={texts.editMessage}
        dir="auto"
        autoFocus
        value={text}
        onFocus={({ target }) => target.setSelectionRange(text.length, text.length)}
        onChange={({ target }) => {
          setTouched(true);
          setDraft(target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div>
        <Button size="small" variant="quiet" onClick={cancel}>
          {common.cancel}
        </Button>
        <Button size="small" variant="primary" onClick={save}>
          {common.send}
        </Button>
      </div>
    </div>
  );
}

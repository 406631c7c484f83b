import { ArrowUp, Square } from 'lucide-react';
import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { common } from '../../parts/common-texts.ts';
import { isComposing } from '../../parts/controls/is-composing.ts';
import { Button } from '../../parts/controls/button.tsx';
import { preferences } from '../../preferences/preferences.ts';
import { drafts } from '../drafts/drafts.ts';
import { MentionList } from './mention-list.tsx';
import { readTexts } from './read-texts.ts';
import { texts } from '../texts.ts';
import { useDraft } from '../drafts/use-draft.ts';
import { type Addressee, useMentions } from './use-mentions.ts';
import buttonStyles from '../../parts/controls/button.module.css';
import styles from './composer.module.css';

export interface ComposerHandle {
  focus(): void;
  insert(text: string): void;
}

interface ComposerProps {
  /** Key of the draft. */
  draft: string;
  isWriting: boolean;
  placeholder?: string;
  autoFocus?: boolean;
  /** Beside the send button. */
  tools?: ReactNode;
  handle?: Ref<ComposerHandle>;
  onSend: (content: string) => void | Promise<void>;
  onStop?: () => void;
  /** Called for ↑ in an empty field. */
  onEditLast?: () => void;
  /** Longest text that is sent. */
  maximum?: number;
  /** People and agents whose names are completed after an @. */
  addressees?: readonly Addressee[];
  /** Called after each input. */
  onType?: () => void;
}

const maximumCharacters = 32_000;
/** The character count is shown when this many characters are left. */
const countBefore = 2_000;
const nobody: readonly Addressee[] = [];

/** Ctrl/Cmd+Enter always sends. Enter alone sends by preference; on touch devices it inserts a line break. */
function isSendKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey) return false;
  if (ctrlKey || metaKey) return true;
  return preferences().sendKey === 'enter' && !matchMedia('(pointer: coarse)').matches;
}

/** Without this the browser opens the dropped file. */
const allowFiles = (event: DragEvent): void => {
  if ([...event.dataTransfer.items].some(({ kind }) => kind === 'file')) event.preventDefault();
};

/** The message field. Its text is stored as a draft. Sending clears it; if sending is refused, the text is restored. */
export function Composer(props: ComposerProps) {
  const [text, setText] = useDraft(props.draft);
  const field = useRef<HTMLTextAreaElement>(null);
  const { maximum = maximumCharacters } = props;
  const mentions = useMentions(field, text, setText, props.addressees ?? nobody);
  const isMentioning = mentions.shown.length > 0;
  const length = [...text.trim()].length;
  const canSend = length > 0 && length <= maximum && !props.isWriting;
  useImperativeHandle(props.handle, () => ({
    focus: () => field.current?.focus(),
    insert: (added) => {
      drafts.add(props.draft, added);
      field.current?.focus();
    },
  }));
  // Place the caret at the end of the draft.
  useLayoutEffect(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length), []);
  const send = async (): Promise<void> => {
    if (!canSend) return;
    setText('');
    try {
      await props.onSend(text);
    } catch {
      // The refusal is already reported. Restore the text before anything typed since.
      const since = drafts.get(props.draft);
      setText(since === '' ? text : `${text}\n${since}`);
    }
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent) || mentions.onKeyDown(event)) return;
    if (isSendKey(event)) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape' && props.isWriting) props.onStop?.();
    else if (event.key === 'ArrowUp' && text === '' && props.onEditLast) {
      event.preventDefault();
      props.onEditLast();
    }
  };
  const onDrop = async (event: DragEvent): Promise<void> => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    const added = await readTexts(files);
    setText([drafts.get(props.draft), ...added].filter(Boolean).join('\n'));
  };
  return (
    <div className={styles.composer} onDragOver={allowFiles} onDrop={(event) => void onDrop(event)}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label={common.message}
        placeholder={props.placeholder ?? texts.writeMessage}
        rows={1}
        dir="auto"
        value={text}
        autoFocus={props.autoFocus}
        {...(props.addressees && {
          'aria-autocomplete': 'list',
          'aria-controls': isMentioning ? mentions.listId : undefined,
          'aria-activedescendant': isMentioning ? `${mentions.listId}-${mentions.active}` : undefined,
          onSelect: mentions.onCaret,
        })}
        onChange={(event) => {
          setText(event.target.value);
          mentions.onCaret();
          props.onType?.();
        }}
        onKeyDown={onKeyDown}
      />
      {isMentioning && (
        <MentionList id={mentions.listId} shown={mentions.shown} active={mentions.active} onTake={mentions.take} />
      )}
      <div className={styles.tools}>
        {length >= maximum - countBefore && (
          <span className={styles.count} data-over={length > maximum || undefined} role="status">
            {texts.ofCharacters(length, maximum)}
          </span>
        )}
        {props.tools}
        {props.isWriting ? (
          <Button
            variant="primary"
            className={buttonStyles.round}
            aria-label={texts.stop}
            title={texts.stop}
            onClick={props.onStop}
          >
            <Square size={14} fill="currentColor" />
          </Button>
        ) : (
          <Button
            variant="primary"
            className={buttonStyles.round}
            aria-label={common.send}
            title={common.send}
            aria-disabled={!canSend || undefined}
            onClick={() => void send()}
          >
            <ArrowUp size={18} />
          </Button>
        )}
      </div>
    </div>
  );
}

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
import { common } from '../parts/common-texts.ts';
import { isComposing } from '../parts/is-composing.ts';
import { Button } from '../parts/button.tsx';
import { notify } from '../parts/toast-store.ts';
import { preferences } from '../preferences/preferences.ts';
import { drafts } from './drafts.ts';
import { MentionList } from './mention-list.tsx';
import { texts } from './texts.ts';
import { useDraft } from './use-draft.ts';
import { type Addressee, useMentions } from './use-mentions.ts';
import buttonStyles from '../parts/button.module.css';
import styles from './composer.module.css';

export interface ComposerHandle {
  focus(): void;
  insert(text: string): void;
}

interface ComposerProps {
  /** Name of the draft. */
  draft: string;
  isWriting: boolean;
  placeholder?: string;
  autoFocus?: boolean;
  /** Beside the send button. */
  tools?: ReactNode;
  handle?: Ref<ComposerHandle>;
  onSend: (content: string) => void | Promise<void>;
  onStop?: () => void;
  /** ↑ in an empty field. */
  onEditLast?: () => void;
  /** Longest text that is sent. */
  maximum?: number;
  /** Whose names an @ completes. */
  addressees?: readonly Addressee[];
  /** Something was typed. */
  onType?: () => void;
}

const maximumCharacters = 32_000;
/** The character count is shown when this many characters are left. */
const countBefore = 2_000;
const nobody: readonly Addressee[] = [];

/** Enter, or Ctrl/Cmd and Enter by preference, which always sends. On touch Enter is a new line. */
function isSendKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey) return false;
  if (ctrlKey || metaKey) return true;
  return preferences().sendKey === 'enter' && !matchMedia('(pointer: coarse)').matches;
}

/** Where a message is written. What is typed survives everything; it is emptied when sending has taken it. */
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
      const before = drafts.get(props.draft);
      setText(before === '' ? added : `${before.trimEnd()} ${added}`);
      field.current?.focus();
    },
  }));
  // A draft is continued at its end.
  useLayoutEffect(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length), []);
  const send = async (): Promise<void> => {
    if (!canSend) return;
    setText('');
    try {
      await props.onSend(text);
    } catch {
      // What refused it has said why; the text comes back, before what was typed since.
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
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    if (!/\.(txt|md)$/i.test(file.name)) return notify(texts.onlyTxtMdFiles);
    const added = await file.text();
    setText(`${drafts.get(props.draft)}${added}`);
  };
  return (
    <div className={styles.composer} onDrop={(event) => void onDrop(event)}>
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

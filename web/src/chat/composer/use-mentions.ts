import { type KeyboardEvent, type RefObject, useId, useState } from 'react';

/** A person or agent whose name can be completed after an @. */
export interface Addressee {
  id: string;
  /** The text after the @. */
  handle: string;
  label: string;
}

const maximumShown = 6;

/** Returns the text between an @ and the caret, or null when the caret is not in a mention. */
function typedAt(text: string, caret: number): { start: number; typed: string } | null {
  const match = atSign.exec(text.slice(0, caret));
  return match ? { start: caret - (match[1] ?? '').length, typed: folded(match[1] ?? '') } : null;
}

/** An @, not within a word; scripts without spaces between words need none before it. */
const atSign =
  /(?:^|[^\p{L}\p{N}_]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[@＠]([^@＠\n]{0,40})$/u;

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Completes names after an @: arrows select, Enter and Tab accept, Escape closes the list. */
export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
  addressees: readonly Addressee[],
) {
  const listId = useId();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const mention = addressees.length > 0 ? typedAt(text, caret) : null;
  const shown =
    mention && mention.start !== leftAt
      ? addressees
          .filter(({ handle, label }) =>
            [handle, label].some((name) => folded(name).startsWith(mention.typed) && mention.typed !== `${name} `),
          )
          .slice(0, maximumShown)
      : [];
  const active = Math.min(chosen, shown.length - 1);
  const take = (addressee: Addressee): void => {
    if (!mention) return;
    const end = mention.start + addressee.handle.length + 1;
    setText(`${text.slice(0, mention.start)}${addressee.handle} ${text.slice(caret)}`);
    setCaret(end);
    setChosen(0);
    field.current?.focus();
    // After React has updated the text.
    requestAnimationFrame(() => field.current?.setSelectionRange(end, end));
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const current = shown[active];
    if (!current) return false;
    if (event.key === 'ArrowDown') setChosen((active + 1) % shown.length);
    else if (event.key === 'ArrowUp') setChosen((active + shown.length - 1) % shown.length);
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') take(current);
    else if (event.key === 'Escape') setLeftAt(mention?.start ?? null);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    listId,
    shown,
    active,
    take,
    onKeyDown,
    onCaret: () => {
      const next = field.current?.selectionStart ?? 0;
      if (next !== caret) setChosen(0);
      setCaret(next);
      if (typedAt(field.current?.value ?? '', next)?.start !== leftAt) setLeftAt(null);
    },
  };
}

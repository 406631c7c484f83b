import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { isComposing } from '../../parts/controls/is-composing.ts';
import { Dialog } from '../../parts/layers/dialog.tsx';
import { groupsOf, type PaletteEntry } from './palette-entries.ts';
import { texts } from './texts.ts';
import { usePaletteSources } from './use-palette-sources.ts';
import styles from './palette.module.css';

interface PaletteProps {
  isOpen: boolean;
  onClose: () => void;
  /** Shows the list of keys. */
  onKeys: () => void;
}

/** Finds every screen, agent, conversation, message and action by typing. */
function Palette({ isOpen, onClose, onKeys }: PaletteProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} shape="top" title={texts.find} initialFocus={field}>
      <Search field={field} onClose={onClose} onKeys={onKeys} />
    </Dialog>
  );
}

export default Palette;

function Search({ field, onClose, onKeys }: Omit<PaletteProps, 'isOpen'> & { field: Ref<HTMLInputElement> }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const words = typed.trim();
  const sources = usePaletteSources(words, onKeys);
  const groups = groupsOf(sources.groups, words);
  const entries = groups.flatMap((group) => group.entries);
  const active = Math.min(at, entries.length - 1);
  const choose = (entry: PaletteEntry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((active + by + entries.length) % Math.max(entries.length, 1));
    else if (event.key === 'Enter') choose(entries[active]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length > 0 ? `palette-${active}` : undefined}
        aria-label={texts.findScreenAgentConversation}
        placeholder={texts.findScreenAgentConversation}
        dir="auto"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={texts.found} className={styles.list} tabIndex={-1}>
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <p className={styles.label} aria-hidden="true">
              {group.label}
            </p>
            {group.entries.map((entry) => {
              const index = entries.indexOf(entry);
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
                <div
                  key={entry.key}
                  id={`palette-${index}`}
                  role="option"
                  aria-selected={index === active}
                  className={styles.entry}
                  dir="auto"
                  onPointerMove={() => setAt(index)}
                  onClick={() => choose(entry)}
                  ref={index === active ? reveal : undefined}
                >
                  {entry.label}
                  {entry.hint && <span className={styles.hint}>{entry.hint}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {(entries.length === 0 || sources.search === 'failed') && (
        <p className={styles.none} role="status">
          {searchTexts[sources.search]}
        </p>
      )}
    </>
  );
}

const searchTexts = {
  done: texts.nothingTheseWords,
  running: texts.searching,
  failed: texts.messagesNotSearched,
} as const;

const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

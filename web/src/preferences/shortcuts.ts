import { useLayoutEffect, useRef } from 'react';
import { isComposing } from '../parts/controls/is-composing.ts';
import { preferences } from './preferences.ts';

/** Actions by shortcut: `mod+k`, `mod+shift+o`, one character, or a sequence of two (`g c`). */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Maximum time between the two keys of a sequence. */
const sequenceMs = 1_500;
const registered = new Set<() => Shortcuts>();
let first = { key: '', at: 0 };

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select') || target.closest('[role="menu"]') !== null);

const hasLayer = (): boolean =>
  document.querySelector(':is([role="dialog"], [role="alertdialog"]):not([data-closed])') !== null;

function onKeyDown(event: KeyboardEvent): void {
  if (isComposing(event) || event.defaultPrevented || event.altKey) return;
  const name = event.ctrlKey || event.metaKey ? withModifiers(event) : singleKey(event);
  if (name === null) return;
  for (const shortcuts of registered) {
    const run = shortcuts()[name];
    if (!run) continue;
    event.preventDefault();
    // A layer can show a secret only once, so no shortcut leaves its page.
    if (!hasLayer()) run(event);
    return;
  }
}

const withModifiers = ({ key, shiftKey }: KeyboardEvent): string =>
  `mod+${shiftKey ? 'shift+' : ''}${key.toLowerCase()}`;

/** Returns a key pressed without a modifier, or null while typing or when `singleKeys` is off. */
function singleKey(event: KeyboardEvent): string | null {
  if (!preferences().singleKeys || isField(event.target) || hasLayer() || event.key.length !== 1) return null;
  const sequence = `${first.key} ${event.key}`;
  const isSequence = event.timeStamp - first.at < sequenceMs && [...registered].some((list) => list()[sequence]);
  first = { key: event.key, at: event.timeStamp };
  return isSequence ? sequence : event.key;
}

/** Handles shortcuts while the component is mounted, from its first paint on. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  useLayoutEffect(() => {
    const own = (): Shortcuts => latest.current;
    if (registered.size === 0) addEventListener('keydown', onKeyDown);
    registered.add(own);
    return () => {
      registered.delete(own);
      if (registered.size === 0) removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

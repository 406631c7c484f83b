import { useLayoutEffect, useRef } from 'react';
import { isComposing } from '../parts/is-composing.ts';
import { preferences } from './preferences.ts';

/** What a key does: `mod+k`, `mod+shift+o`, one character, or two in a row (`g c`). */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The second key of a sequence comes within this time. */
const sequenceMs = 1_500;
const registered = new Set<() => Shortcuts>();
let first = { key: '', at: 0 };

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select') || target.closest('[role="menu"]') !== null);

const hasLayer = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

function onKeyDown(event: KeyboardEvent): void {
  if (isComposing(event) || event.defaultPrevented || event.altKey) return;
  const name = event.ctrlKey || event.metaKey ? withModifiers(event) : singleKey(event);
  if (name === null) return;
  for (const shortcuts of registered) {
    const run = shortcuts()[name];
    if (!run) continue;
    event.preventDefault();
    run(event);
    return;
  }
}

const withModifiers = ({ key, shiftKey }: KeyboardEvent): string =>
  `mod+${shiftKey ? 'shift+' : ''}${key.toLowerCase()}`;

/** A key without a modifier: never while a person types, and not at all by preference. */
function singleKey(event: KeyboardEvent): string | null {
  if (!preferences().singleKeys || isField(event.target) || hasLayer() || event.key.length !== 1) return null;
  const sequence = `${first.key} ${event.key}`;
  const isSequence = event.timeStamp - first.at < sequenceMs && [...registered].some((list) => list()[sequence]);
  first = { key: event.key, at: event.timeStamp };
  return isSequence ? sequence : event.key;
}

/** Listens for keys while the component is shown, from its first paint on. */
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

import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { loadPart } from './load-part.ts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Preload delay: long after the first render, which it must not delay, but before the network may be lost. */
const idleMs = 10_000;
const loads: (() => Promise<unknown>)[] = [];
let hasBegun = false;

/**
 * Creates a lazy component for a part that opens on demand, such as a menu. It is not in the initial download, but loads at
 * the first interaction with the page or after `idleMs`, so usually before it is opened.
 */
export function later<Props extends object>(load: Load<Props>): LazyExoticComponent<ComponentType<Props>> {
  let loading: ReturnType<Load<Props>> | undefined;
  const once: Load<Props> = () => {
    loading ??= loadPart(load).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  loads.push(once);
  if (hasBegun) once().catch(() => undefined);
  return lazy(once);
}

function begin(): void {
  if (!navigator.onLine) return;
  for (const event of touches) removeEventListener(event, begin, true);
  hasBegun = true;
  for (const load of loads) load().catch(() => undefined);
}

const touches = ['pointermove', 'pointerdown', 'keydown'] as const;
for (const event of touches) addEventListener(event, begin, { capture: true, passive: true });
addEventListener('online', begin);
setTimeout(begin, idleMs);

import { type ComponentType, createElement, use, useReducer } from 'react';
import { offline } from '../../api/api-error.ts';
import { isServiceThere, loadPart } from './load-part.ts';
import { PartFailure } from './part-failure.tsx';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
type Attempt<Props> = Promise<{ Part: ComponentType<Props> } | { error: unknown }>;

/** Preload delay: long after the first render, which it must not delay, but before the network may be lost. */
const idleMs = 10_000;
const loads: (() => Promise<unknown>)[] = [];
let hasBegun = false;

/**
 * Creates a lazy component for a part that opens on demand, such as a menu. It is not in the initial download, but loads at
 * the first interaction with the page or after `idleMs`, so usually before it is opened. A failure closes only its layer, and
 * the next opening loads it again; `React.lazy` would keep the failure until the page is reloaded.
 */
export function later<Props extends object>(load: Load<Props>): ComponentType<Props> {
  let loading: ReturnType<Load<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const once: Load<Props> = () => {
    loading ??= loadSafely(load).then(
      (part) => {
        loaded = part.default;
        return part;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  loads.push(once);
  if (hasBegun) once().catch(() => undefined);

  // Also keeps a failure while it is shown, so that rendering again does not load again.
  let attempt: Attempt<Props> | undefined;
  const attemptOnce = (): Attempt<Props> =>
    once().then(
      (loaded) => ({ Part: loaded.default }),
      (error: unknown) => ({ error }),
    );
  const forget = (): void => {
    attempt = undefined;
  };
  return function Later(props) {
    const [, renderAgain] = useReducer((count: number) => count + 1, 0);
    // Without `use`, which would show the fallback, and with it React's pause before the part.
    if (loaded) return createElement(loaded, props);
    const result = use((attempt ??= attemptOnce()));
    if ('Part' in result) return createElement(result.Part, props);
    return createElement(PartFailure, { error: result.error, forget, renderAgain });
  };
}

let check: Promise<boolean> | undefined;

/** Imports nothing while the service can't be reached, because browsers keep a failed import until the page is reloaded. */
async function loadSafely<Part>(load: () => Promise<Part>): Promise<Part> {
  check ??= isServiceThere().finally(() => (check = undefined));
  if (!(await check)) throw offline();
  return loadPart(load);
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

import { ApiError, asApiError, offline } from '../../api/api-error.ts';
import { loadFailedStyles } from './failed-styles.ts';
import { texts } from '../texts.ts';

/** Pauses before the retries: during a rolling upgrade the next request may reach an instance that has the part. */
const pausesMs = [300, 1_000];
const reloadedKey = 'reloaded-for-version';
/** Minimum time between reloads, longer than a rolling upgrade: a missing part must not cause a reload loop. */
const reloadPauseMs = 60_000;

const assets = `${location.origin}/assets/`;

let isMissing = false;
const listeners = new Set<() => void>();

/** Whether a part of this version no longer exists on the service, so that the page must be reloaded. */
export const isNewVersionReady = (): boolean => isMissing;

export function onNewVersion(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** When an asset was last found to be missing, in milliseconds of the page. */
let missedAt = -1;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
    if (entry.responseStatus === 404 && entry.name.startsWith(assets)) missedAt = entry.startTime;
  }
}).observe({ type: 'resource' });

/** Loads a part of the console, with two retries. If it no longer exists, shows the notice that a new version is ready. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const startedAt = performance.now();
  let attempt = load;
  for (const [index, pause] of [...pausesMs, null].entries()) {
    try {
      await loadFailedStyles();
      return await attempt();
    } catch (error) {
      // Offline: the screen reports it, and the version is not to blame.
      if (!navigator.onLine) throw offline();
      if (pause !== null) await new Promise((resolve) => setTimeout(resolve, pause));
      attempt = anotherTry(load, error, index + 1) ?? load;
    }
  }
  if (!(await isServiceThere())) throw offline();
  // Otherwise the browser repeated a failure of the network: it keeps those of imports until the page is reloaded.
  if (missedAt >= startedAt) reportNewVersion();
  throw new ApiError('NEW_VERSION', texts.partConsoleCouldNot);
}

function reportNewVersion(): void {
  isMissing = true;
  for (const listener of listeners) listener();
}

/** Whether the service responds. If it is down or restarting, a failed load does not mean that the part is gone. */
export const isServiceThere = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Matches the source of an import that takes one module of a file. Others import that file, too: a copy of it under another
 * URL would have its own state.
 */
const takesModule = /\.then\(/;

/** Returns an import with a different URL, because browsers cache failed imports. The URL is in the error message. */
function anotherTry<Part>(load: () => Promise<Part>, error: unknown, count: number): (() => Promise<Part>) | null {
  const [url] = (error instanceof Error && /https?:\/\/\S+\.js/.exec(error.message)) || [];
  if (!url?.startsWith(assets) || takesModule.test(String(load))) return null;
  return () => import(/* @vite-ignore */ `${url}?try=${count}`) as Promise<Part>;
}

/** Loads a screen. On failure reloads the page once, because nothing could be shown. Drafts are already in storage. */
export async function loadScreen<Screen>(load: () => Promise<Screen>): Promise<Screen> {
  try {
    return await loadPart(load);
  } catch (error) {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (asApiError(error).code !== 'NEW_VERSION' || Date.now() - last < reloadPauseMs) throw error;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
    return new Promise(() => undefined);
  }
}

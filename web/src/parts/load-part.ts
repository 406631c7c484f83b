import { ApiError, offline } from '../api/api-error.ts';
import { texts } from './texts.ts';

/** Before the second and the third try: in a rolling upgrade the next request may reach an instance that has the part. */
const pausesMs = [300, 1_000];
const reloadedKey = 'reloaded-for-version';
/** Longer than a rolling upgrade needs, so that a part that stays missing ends in the error page, not in a loop. */
const reloadPauseMs = 60_000;

let isMissing = false;
const listeners = new Set<() => void>();

/** Whether a part of this version is gone, so that only a reload gets it. */
export const isNewVersionReady = (): boolean => isMissing;

export function onNewVersion(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Loads a part of the console, in three tries. One that stays missing belongs to an older release: a notice says so. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  let attempt = load;
  for (const [index, pause] of [...pausesMs, null].entries()) {
    try {
      return await attempt();
    } catch (error) {
      // Without the network nothing loads: the screen says so itself.
      if (!navigator.onLine) throw offline();
      if (pause !== null) await new Promise((resolve) => setTimeout(resolve, pause));
      attempt = anotherTry(error, index + 1) ?? load;
    }
  }
  if (!(await isServiceThere())) throw offline();
  isMissing = true;
  for (const listener of listeners) listener();
  throw new ApiError('NEW_VERSION', texts.partConsoleCouldNot);
}

/** A service that is down or starts again has lost no part. */
const isServiceThere = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** A browser remembers that an address of a script failed, so another try needs another. The error names it. */
function anotherTry<Part>(error: unknown, count: number): (() => Promise<Part>) | null {
  const [url] = (error instanceof Error && /https?:\/\/\S+\.js/.exec(error.message)) || [];
  if (!url?.startsWith(`${location.origin}/assets/`)) return null;
  return () => import(/* @vite-ignore */ `${url}?try=${count}`) as Promise<Part>;
}

/** Loads a screen. On failure there is nothing to show, so the page is reloaded once. Drafts are in storage by then. */
export async function loadScreen<Screen>(load: () => Promise<Screen>): Promise<Screen> {
  try {
    return await loadPart(load);
  } catch (error) {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (!isMissing || Date.now() - last < reloadPauseMs) throw error;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
    return new Promise(() => undefined);
  }
}

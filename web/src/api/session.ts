import { keep } from './keep.ts';
import { ApiError } from './api-error.ts';
import { type Grant, postSession } from './session-requests.ts';
import { texts } from './texts.ts';

/** `expired`: the session ended while the page is open. The page stays and asks for the password. */
export type SessionState = 'starting' | 'signed-out' | 'active' | 'expired';

type TabMessage = { type: 'granted'; grant: Grant } | { type: 'signed-out' };

/** Held in memory only, so that no stored copy can leak. */
let grant: Grant | null = null;
let state: SessionState = 'starting';
/** The last event before this page read anything of the account. */
let eventBefore: string | null = null;
let renewal: Promise<boolean> | null = null;
const accountKey = 'account';
/** The account of this page: the one whose session it has or, before that is known, the last one of this browser. */
let account = localStorage.getItem(accountKey);
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('session');

export const sessionState = (): SessionState => state;

/** Returns the ID of the account to which what the page stores on this device belongs. */
export const accountId = (): string => account ?? '';

/** Whether an account is signed in, or its session expired: after a sign-out or deletion in any tab there is none. */
export const hasAccount = (): boolean => localStorage.getItem(accountKey) !== null;

/** Returns the ID of the last event before this page read anything of the account; null when there was none. */
export const lastEventBefore = (): string | null => eventBefore;

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function change(next: SessionState, nextGrant: Grant | null): void {
  if (next === 'active' && state !== 'active' && state !== 'expired') eventBefore = nextGrant?.lastEventId ?? null;
  grant = nextGrant;
  state = next;
  for (const listener of listeners) listener();
}

tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  if (data.type === 'granted' && state !== 'signed-out') void adopt(data.grant);
  if (data.type === 'signed-out' && state !== 'signed-out') change('signed-out', null);
});

/** Loads the page again when the session is that of another account, so that nothing of one is shown to or sent as the other. */
async function adopt(granted: Grant): Promise<void> {
  account ??= granted.accountId;
  keep(localStorage, accountKey, granted.accountId);
  if (account === granted.accountId) return change('active', granted);
  location.reload();
  return new Promise<never>(() => undefined);
}

function accept(granted: Grant): Promise<void> {
  tabs.postMessage({ type: 'granted', grant: granted } satisfies TabMessage);
  return adopt(granted);
}

/** Signs in, signs up or undoes an account's deletion. The refresh token is stored in an HttpOnly cookie. */
export async function startSession(
  action: 'register' | 'login' | 'restore',
  fields: Record<string, string>,
): Promise<void> {
  const granted = await postSession(action, fields);
  if (granted) await accept(granted);
}

export async function endSession(): Promise<void> {
  await postSession('logout');
  leaveSession();
}

/** Signs every tab out after the service has ended the session. */
export function leaveSession(): void {
  localStorage.removeItem(accountKey);
  change('signed-out', null);
  tabs.postMessage({ type: 'signed-out' } satisfies TabMessage);
}

/** Leaves the expired state without a new sign-in. */
export const abandonSession = (): void => change('signed-out', null);

/** Fetches a new access token, one tab at a time. Returns false when the session has ended. */
export function renewSession(): Promise<boolean> {
  const before = grant;
  renewal ??= oneTabAtATime(async () => {
    // Another tab renewed the token while this one waited for the lock.
    if (grant !== before && grant !== null) return true;
    const granted = await postSession('refresh').catch(noSession);
    // The person signed out meanwhile.
    if (before !== null && state === 'signed-out') return false;
    if (granted) await accept(granted);
    else change(state === 'active' || state === 'expired' ? 'expired' : 'signed-out', null);
    return granted !== null;
  }).finally(() => {
    renewal = null;
  });
  return renewal;
}

/** Locks exist on secure origins only. Without them the server's ten-second window absorbs the race. */
const oneTabAtATime = (work: () => Promise<boolean>): Promise<boolean> =>
  'locks' in navigator ? navigator.locks.request('session', work) : work();

function noSession(error: unknown): null {
  if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return null;
  throw error;
}

/** Returns the access token. Renews it in the background when it is old, and before returning when it has expired. */
export async function accessToken(): Promise<string | null> {
  if (state === 'starting') await renewSession();
  if (state === 'expired') await signedInAgain();
  const now = Date.now();
  if (grant && now >= grant.expiresAt - 5_000) await renewSession();
  else if (grant && now >= grant.renewAt) renewSession().catch(() => undefined);
  return grant?.accessToken ?? null;
}

/** Resolves once the person has signed in again after the session expired. Rejects when they sign out instead. */
export function signedInAgain(): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (state === 'expired' || state === 'starting') return;
      stop();
      if (state === 'active') resolve();
      else reject(new ApiError('UNAUTHENTICATED', texts.youAreSignedOut));
    };
    const stop = onSessionChange(check);
    check();
  });
}

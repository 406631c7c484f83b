import { redirect } from '@tanstack/react-router';
import { renewSession, sessionState } from '../api/session.ts';

async function isSignedIn(): Promise<boolean> {
  if (sessionState() === 'starting') await renewSession();
  return sessionState() === 'active' || sessionState() === 'expired';
}

/** A service that cannot be reached has not ended the session: the screen opens, and its own requests try again. */
const mayBeSignedIn = (): Promise<boolean> => isSignedIn().catch(() => true);

/** Screens that show something to people without an account, too. */
export const isOpenToAll = (path: string): boolean =>
  /^\/(marketplace|users|share)(\/|$)/.test(path) && !/^\/users\/[^/]+\/follow/.test(path);

/** Sends a visitor without a session to the sign-in page, which brings them back here. */
export async function requireSession({ location }: { location: { href: string; pathname: string } }): Promise<void> {
  if (!(await mayBeSignedIn()) && !isOpenToAll(location.pathname))
    redirect({ to: '/sign-in', search: { next: location.href }, throw: true });
}

/** Sends a person who is signed in from a page for visitors to where they wanted to go. */
export async function requireNoSession({ search }: { search: { next?: string | undefined } }): Promise<void> {
  if (await isSignedIn()) redirect({ href: search.next ?? '/chat', replace: true, throw: true });
}

/** `?next=`: a path of ours only, so that a link cannot send people elsewhere after signing in. */
export const nextOf = (search: Record<string, unknown>): { next?: string | undefined } => {
  const { next } = search;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : { next: undefined };
};

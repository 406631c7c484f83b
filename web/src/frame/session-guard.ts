import { redirect } from '@tanstack/react-router';
import { renewSession, sessionState } from '../api/session.ts';

async function isSignedIn(): Promise<boolean> {
  if (sessionState() === 'starting') await renewSession();
  return sessionState() === 'active' || sessionState() === 'expired';
}

/** An unreachable service does not end the session: the screen opens, and its own requests are retried. */
const mayBeSignedIn = (): Promise<boolean> => isSignedIn().catch(() => true);

/** Waits until it is known whether there is a session, for a page that works with and without one. */
export const knowSession = async (): Promise<void> => void (await mayBeSignedIn());

/** Whether a path is a public screen, which needs no session. */
export const isOpenToAll = (path: string): boolean =>
  /^\/(marketplace|users|share)(\/|$)/.test(path) && !/^\/users\/[^/]+\/follow/.test(path);

/** Redirects a visitor without a session to the sign-in page, which returns to this address. */
export async function requireSession({ location }: { location: { href: string; pathname: string } }): Promise<void> {
  if (!(await mayBeSignedIn()) && !isOpenToAll(location.pathname))
    redirect({ to: '/sign-in', search: { next: location.href }, throw: true });
}

export interface RouterContext {
  /** Whether a path leads to a screen. */
  hasScreen: (path: string) => boolean;
}

interface VisitorPage {
  search: { next?: string | undefined };
  context: RouterContext;
}

/** Redirects a signed-in person from a visitor page to `next`, or to the chat. Returns `next` if it is a screen. */
export async function requireNoSession({ search, context }: VisitorPage): Promise<{ next: string | undefined }> {
  const { next: wanted } = search;
  const next = wanted !== undefined && context.hasScreen(pathOf(wanted)) ? wanted : undefined;
  if (await isSignedIn()) redirect({ href: next ?? '/chat', replace: true, throw: true });
  return { next };
}

const pathOf = (address: string): string => address.replace(/[?#].*/s, '');

/**
 * Parses `?next=`. Accepts only a path on this origin, so that a link cannot redirect elsewhere after sign-in. Returns
 * the address as a browser reads it, without tabs and dots and with slashes only, so that what is checked is what is
 * opened.
 */
export const nextOf = (search: Record<string, unknown>): { next?: string | undefined } => {
  const { next } = search;
  const url = typeof next === 'string' && next.startsWith('/') ? URL.parse(next, location.origin) : null;
  const isHere = url?.origin === location.origin && !url.pathname.startsWith('//');
  return { next: isHere ? url.pathname + url.search + url.hash : undefined };
};

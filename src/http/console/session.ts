import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { login, signUp, type SignIn } from '../../accounts/accounts.ts';
import { endSessionOf } from '../../accounts/credentials/end-session.ts';
import { refresh, refreshTokenSeconds } from '../../accounts/credentials/refresh-tokens.ts';
import { restoreAccount } from '../../accounts/deletion/account-deletion.ts';
import type { Actor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { toWire } from '../../core/wire.ts';
import { findLastEventId } from '../../webhooks/events/recent-events.ts';
import { toUser } from '../../../schema/accounts.ts';
import { allowOwnPagesOnly, requireOwnFetch } from '../own-pages.ts';

type Granted = SignIn | Awaited<ReturnType<typeof refresh>>;

interface SessionOptions {
  newCtx: (actor: Actor, requestId: string) => Ctx;
  /** Counts the request. @throws AppError `rate_limited` */
  admit: (request: FastifyRequest, reply: FastifyReply, actor: Actor) => Promise<void>;
}

/** Returns whether a path belongs to the console's session, which no other origin may call. */
export const isSessionPath = (url: string): boolean => url.startsWith('/session/');

/**
 * Registers the session of the console: the access token is sent in the body, the refresh token in a cookie that
 * scripts cannot read. No path other than /session reads cookies.
 */
export function registerSession(app: FastifyInstance, { newCtx, admit }: SessionOptions): void {
  const { config } = newCtx({ kind: 'system' }, 'server');
  const cookie = cookieOf(config.publicUrl);

  const route = (
    action: string,
    handle: (ctx: Ctx, request: FastifyRequest, reply: FastifyReply) => Promise<Granted | null>,
  ) =>
    app.post(`/session/${action}`, {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        allowOwnPagesOnly(reply).header('cache-control', 'no-store');
        requireOwnFetch(request, config.publicUrl);
        await admit(request, reply, anonymous(request));
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const ctx = newCtx(anonymous(request), request.id);
        const granted = await handle(ctx, request, reply);
        if (granted === null) return reply.code(204).send();
        reply.header('set-cookie', cookie.set(granted.refreshToken));
        return reply
          .code(200)
          .type('application/json; charset=utf-8')
          .send(JSON.stringify(await bodyOf(ctx, granted)));
      },
    });

  const client = (request: FastifyRequest) => ({ userAgent: request.headers['user-agent'] ?? null });
  route('register', (ctx, request) => signUp(ctx, request.body, client(request)));
  route('login', (ctx, request) => login(ctx, request.body, client(request)));
  route('restore', (ctx, request) => restoreAccount(ctx, request.body, client(request)));
  route('refresh', async (ctx, request, reply) => {
    const refreshToken = cookie.read(request);
    if (refreshToken === null) return null;
    return refresh(ctx, { refreshToken }).catch((error: unknown) => {
      // A used or revoked token would be rejected forever.
      if (error instanceof AppError && error.status === 401) reply.header('set-cookie', cookie.clear);
      throw error;
    });
  });
  // Cleared here, where the request is known to come from a page of this service: a request of another site, which is
  // refused before, must not sign anyone out.
  route('logout', async (ctx, request, reply) => {
    const refreshToken = cookie.read(request);
    reply.header('set-cookie', cookie.clear);
    if (refreshToken !== null) await endSessionOf(ctx, refreshToken);
    return null;
  });
}

const anonymous = (request: FastifyRequest): Actor => ({ kind: 'anonymous', ip: request.ip });

/** Includes the account's last event: what the console reads from now on is at least as new. */
async function bodyOf(ctx: Ctx, granted: Granted): Promise<object> {
  const { accessToken, expiresIn } = granted;
  const user = 'user' in granted ? granted.user : null;
  const lastEventId = await findLastEventId(ctx, 'user' in granted ? granted.user.id : granted.userId);
  return toWire({ accessToken, expiresIn, lastEventId, ...(user && { user: toUser(user) }) }) as object;
}

/**
 * Returns functions for the cookie. Over https its name has the prefix `__Host-`, for which browsers reject a cookie that
 * another host of the same domain set; the prefix requires the path `/`. Some browsers reject `Secure` cookies on loopback
 * addresses over plain HTTP.
 */
function cookieOf(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? '__Host-refresh' : 'refresh';
  const attributes = `${isSecure ? 'Path=/; Secure' : 'Path=/session'}; HttpOnly; SameSite=Strict`;
  return {
    set: (token: string): string => `${name}=${token}; ${attributes}; Max-Age=${refreshTokenSeconds}`,
    clear: `${name}=; ${attributes}; Max-Age=0`,
    read: ({ headers }: FastifyRequest): string | null => {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || null;
    },
  };
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { login, signUp, type SignIn } from '../../accounts/accounts.ts';
import { endSessionOf } from '../../accounts/credentials/end-session.ts';
import { refresh, refreshTokenSeconds } from '../../accounts/credentials/refresh-tokens.ts';
import { restoreAccount } from '../../accounts/deletion/account-deletion.ts';
import type { Actor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
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
 * scripts cannot read and that is sent only to /session. No other path uses cookies.
 */
export function registerSession(app: FastifyInstance, { newCtx, admit }: SessionOptions): void {
  const { config } = newCtx({ kind: 'system' }, 'server');
  const cookie = cookieOf(config.publicUrl);

  const route = (action: string, handle: (ctx: Ctx, request: FastifyRequest) => Promise<Granted | null>) =>
    app.post(`/session/${action}`, {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        allowOwnPagesOnly(reply).header('cache-control', 'no-store');
        requireOwnFetch(request, config.publicUrl);
        await admit(request, reply, anonymous(request));
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const ctx = newCtx(anonymous(request), request.id);
        const granted = await handle(ctx, request);
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
  route('refresh', async (ctx, request) => {
    const refreshToken = cookie.read(request);
    return refreshToken === null ? null : refresh(ctx, { refreshToken });
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // Clears the cookie: a used or revoked token would be rejected forever.
    const isRefused = request.url === '/session/refresh' && reply.statusCode === 401;
    if (isRefused || request.url === '/session/logout') reply.header('set-cookie', cookie.clear);
    done(null, payload);
  });
  route('logout', async (ctx, request) => {
    const refreshToken = cookie.read(request);
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

/** Returns functions for the cookie. Some browsers reject `Secure` cookies on loopback addresses over plain HTTP. */
function cookieOf(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? '__Secure-refresh' : 'refresh';
  const attributes = `Path=/session; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Strict`;
  return {
    set: (token: string): string => `${name}=${token}; ${attributes}; Max-Age=${refreshTokenSeconds}`,
    clear: `${name}=; ${attributes}; Max-Age=0`,
    read: ({ headers }: FastifyRequest): string | null => {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || null;
    },
  };
}

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import { sendReply } from '../../../rest/adapters/event-stream.ts';
import { lastEventIdOf } from '../../../rest/adapters/sse.ts';
import { createGraphqlContext, type GraphqlContext } from '../../../schema/context.ts';
import { type MessageStreamPayload, resumeReply, toStream } from '../../../schema/messages.ts';
import { followReply } from '../../conversations/generations/follow-reply.ts';
import { findResumed } from '../../conversations/generations/resume-reply.ts';
import { waitForReply } from '../../conversations/generations/wait-for-reply.ts';
import { openVisitorStream } from '../../conversations/open-streams.ts';
import type { Actor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { bearerToken } from '../../core/http/bearer.ts';
import { parseInput } from '../../core/input.ts';
import type { RateLimits } from '../../core/http/rate-limits.ts';
import { startVisitorSession } from '../../embeds/visitors/start-session.ts';
import { asOwnerOf, getVisitor, type Visitor } from '../../embeds/visitors/visitor.ts';
import {
  endSession,
  leaveConversation,
  listVisitorMessages,
  rateVisitorReply,
  stopVisitorReply,
} from '../../embeds/visitors/visitor-conversation.ts';
import { sendVisitorMessage } from '../../embeds/visitors/visitor-message.ts';
import { networkOf } from '../../core/http/network.ts';
import { allowedMethods, refuseOtherMethods } from '../other-methods.ts';
import { countRequest } from '../rate-limit.ts';
import { messagePageJson, messageJson, sessionJson } from './visitor-json.ts';
import { visitorPaths } from '../../embeds/visitors/visitor-paths.ts';
import { watchVisitor } from './watch-visitor.ts';
import { allowOwnPagesOnly } from '../own-pages.ts';

const leaveQuery = z.object({ forget: z.enum(['true', 'false']).optional() });

interface VisitorRoutesOptions {
  newCtx: (actor: Actor, requestId: string) => Ctx;
  rateLimits: RateLimits;
}

/** A request of a visitor with a valid token. */
interface VisitorRequest {
  ctx: Ctx;
  visitor: Visitor;
  token: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Registers /v1/embed: the chat of visitors on other websites. Visitor tokens are accepted only here, and no other
 * credential is.
 */
export function registerEmbedVisitors(app: FastifyInstance, { newCtx, rateLimits }: VisitorRoutesOptions): void {
  const limit = newCtx({ kind: 'system' }, 'server').config.rateLimits.anonymous;
  const known = new Map<string, HTTPMethods[]>();
  const newRequestCtx = (request: FastifyRequest) => newCtx({ kind: 'anonymous', ip: request.ip }, request.id);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    withoutOrigins(reply);
    const bucket = request.url.startsWith(visitorPaths.sessions) ? 'embed-sessions' : 'embed';
    await countRequest(rateLimits, reply, `${bucket}:${networkOf(request.ip)}`, limit);
  };

  const open = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void => {
    known.set(url, [...(known.get(url) ?? []), method]);
    app.route({ method, url, onRequest, handler: handle });
  };
  const asVisitor =
    (handle: (call: VisitorRequest) => Promise<unknown>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const ctx = newRequestCtx(request);
      const token = tokenOf(request);
      return handle({ ctx, visitor: await getVisitor(ctx, token), token, request, reply });
    };
  const send = (reply: FastifyReply, status: number, body: object) =>
    reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));

  open('POST', visitorPaths.sessions, async (request, reply) => {
    const ctx = newRequestCtx(request);
    return send(reply, 200, sessionJson(await startVisitorSession(ctx, sessionInput(bodyOf(request)), request.ip)));
  });
  open(
    'DELETE',
    visitorPaths.sessions,
    asVisitor(async ({ ctx, visitor, reply }) => send(reply, 200, await endSession(ctx, visitor))),
  );
  open(
    'GET',
    visitorPaths.messages,
    asVisitor(async ({ ctx, visitor, request, reply }) => {
      const { limit: most, before } = request.query as { limit?: unknown; before?: unknown };
      const input = { ...(most === undefined ? {} : { limit: wholeNumber(most) }), before };
      return send(reply, 200, messagePageJson(await listVisitorMessages(ctx, visitor, input)));
    }),
  );
  open(
    'POST',
    visitorPaths.messages,
    asVisitor(async (call) => {
      const { ctx, visitor, request, reply } = call;
      const accepted = await sendVisitorMessage(ctx, visitor, messageInput(request), networkOf(request.ip));
      if (accepted.isReplay) reply.header('idempotency-replayed', 'true');
      const { userMessage, assistantMessage } = await waitForReply(asOwnerOf(ctx, visitor), accepted);
      const body = { user_message: messageJson(userMessage), assistant_message: messageJson(assistantMessage) };
      return send(reply, 201, body);
    }),
  );
  open(
    'POST',
    visitorPaths.stream,
    asVisitor(async (call) => {
      const { ctx, visitor, token, request, reply } = call;
      const close = openVisitorStream(ctx, visitor.id);
      try {
        const events = withoutSources(await replyTo(call));
        await sendReply(request, reply, events, (onLost) => watchVisitor(ctx, token, onLost));
        return await reply;
      } finally {
        close();
      }
    }),
  );
  open(
    'POST',
    visitorPaths.stop,
    asVisitor(async ({ ctx, visitor, reply }) => {
      const { stopped, messageId } = await stopVisitorReply(ctx, visitor);
      return send(reply, 200, { stopped, message_id: messageId });
    }),
  );
  open(
    'POST',
    visitorPaths.feedback,
    asVisitor(async ({ ctx, visitor, request, reply }) => {
      const { message_id: messageId } = request.params as { message_id: string };
      const { rating, comment } = bodyOf(request);
      const feedback = await rateVisitorReply(ctx, visitor, messageId, { rating, comment });
      const body = { message_id: feedback.messageId, rating: feedback.rating, comment: feedback.comment };
      return send(reply, 200, { ...body, created_at: feedback.createdAt });
    }),
  );
  open(
    'DELETE',
    visitorPaths.conversation,
    asVisitor(async ({ ctx, visitor, request, reply }) => {
      const { forget } = parseInput(leaveQuery, request.query);
      return send(reply, 200, await leaveConversation(ctx, visitor, forget === 'true'));
    }),
  );
  for (const [url, methods] of known) {
    refuseOtherMethods(app, url, methods, withoutOrigins);
    app.options(url, async (_request, reply) => {
      withoutOrigins(reply);
      return reply.header('allow', allowedMethods(methods).join(', ')).code(204).send();
    });
  }
}

/** Removes the CORS headers, so that pages of other origins cannot read the response, and disables caching. */
function withoutOrigins(reply: FastifyReply): void {
  allowOwnPagesOnly(reply).header('cache-control', 'no-store');
}

const maxTokenLength = 200;

function tokenOf({ headers }: FastifyRequest): string {
  const token = bearerToken(headers.authorization);
  if (token === null || token.length > maxTokenLength)
    throw new AppError('unauthenticated', { message: 'A visitor token is required.' });
  return token;
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new AppError('invalid_request', { message: 'The body must be a JSON object.' });
}

const sessionInput = (body: Record<string, unknown>) => ({
  embedId: body['embed_id'],
  visitorToken: body['visitor_token'],
  identityToken: body['identity_token'],
  parentOrigin: body['parent_origin'],
  challengeToken: body['challenge_token'],
});

const messageInput = (request: FastifyRequest) => ({
  content: bodyOf(request)['content'],
  idempotencyKey: request.headers['idempotency-key'] ?? null,
});

const wholeNumber = (text: unknown): unknown =>
  typeof text === 'string' && /^-?\d{1,9}$/.test(text) ? Number(text) : text;

const graphqlContext = ({ ctx, visitor, reply }: VisitorRequest): GraphqlContext =>
  createGraphqlContext(asOwnerOf(ctx, visitor), {
    userAgent: null,
    idempotencyKey: null,
    lastEventId: null,
    markReplayed: () => void reply.header('idempotency-replayed', 'true'),
    markExisting: () => undefined,
    isExisting: () => false,
    onDelivered: (fn) => reply.raw.once('finish', fn),
    leftSignal: () => new AbortController().signal,
    countFields: async () => undefined,
  });

/** Sends a message and returns the events of its reply, or continues those of the reply to which the visitor reconnects. */
async function replyTo(call: VisitorRequest): Promise<AsyncIterator<MessageStreamPayload, void, void>> {
  const { ctx, visitor, request } = call;
  const owner = graphqlContext(call);
  const input = messageInput(request);
  const { conversationId } = visitor;
  const resumed = conversationId && (await findResumed(owner, conversationId, lastEventIdOf(request), input));
  if (resumed) return resumeReply(owner, resumed.accepted, resumed.received);
  const accepted = await sendVisitorMessage(ctx, visitor, input, networkOf(request.ip));
  return toStream(owner, accepted, followReply(owner, accepted));
}

/** Removes the citations from a stream, because only the owner may know which documents a reply used. */
function withoutSources(events: AsyncIterator<MessageStreamPayload, void, void>) {
  return {
    next: async () => {
      const next = await events.next();
      if (!next.done && 'citations' in next.value) next.value.citations = null;
      return next;
    },
    return: async () => (await events.return?.()) ?? { value: undefined, done: true as const },
  } satisfies AsyncIterator<MessageStreamPayload, void, void>;
}

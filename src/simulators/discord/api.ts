import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Faults } from '../chat-log.ts';
import { type DiscordWorld, exampleGuild } from './world.ts';

interface ApiOptions {
  world: DiscordWorld;
  faults: Faults;
  gatewayUrl: () => string;
}

interface NewMessage {
  content?: string;
  nonce?: string;
  enforce_nonce?: boolean;
  message_reference?: { message_id: string };
}

type ChannelRequest = FastifyRequest<{ Params: { id: string } }>;

/** Registers the part of Discord's REST API that a chat bot uses. */
export function registerDiscordApi(app: FastifyInstance, { world, faults, gatewayUrl }: ApiOptions): void {
  const tokenOf = (request: FastifyRequest) => (request.headers.authorization ?? '').replace(/^Bot /, '');
  const fail = (reply: FastifyReply, status: number, retryAfterSeconds?: number | null) => {
    world.counts.failed++;
    if (status === 429 && retryAfterSeconds === null)
      return reply.code(429).send({ message: 'You are being rate limited.', global: false });
    if (status === 429) {
      const seconds = retryAfterSeconds ?? 1;
      return reply
        .code(429)
        .headers({ 'retry-after': seconds, 'x-ratelimit-scope': 'user', 'x-ratelimit-reset-after': seconds })
        .send({ message: 'You are being rate limited.', retry_after: seconds, global: false });
    }
    return reply.code(status).send({ message: String(status), code: 0 });
  };

  app.addHook('preHandler', async (request, reply) => {
    if (!world.isBot(tokenOf(request))) return fail(reply, 401);
    const fault = faults.take(request.url);
    if (!fault) return undefined;
    if (fault.afterEffect) say(request as ChannelRequest);
    return fail(reply, fault.status, fault.retryAfterSeconds);
  });

  const say = (request: ChannelRequest): Record<string, unknown> | undefined => {
    const body = request.body as NewMessage;
    const author = world.botOf(tokenOf(request));
    const channelId = request.params.id;
    const nonce = body.enforce_nonce ? `${author.id} ${channelId} ${body.nonce}` : null;
    const known = nonce && world.nonces.get(nonce);
    if (known) return world.messageOf(known);
    const replyTo = body.message_reference?.message_id;
    const guildId = world.guildOfReply(author, channelId, replyTo);
    const said = {
      guildId,
      channelId,
      author,
      text: body.content ?? '',
      mentions: [],
      ...(replyTo ? { replyTo } : {}),
    };
    const { id } = world.say(said);
    if (nonce) world.nonces.set(nonce, id);
    return world.messageOf(id);
  };

  app.get('/api/v10/gateway/bot', async () => ({
    url: gatewayUrl(),
    shards: 1,
    session_start_limit: { total: 1_000, remaining: 1_000, reset_after: 14_400_000, max_concurrency: 1 },
  }));
  // A client may escape the `@` of `@me`.
  app.get('/api/v10/users/:id', async (request) => world.botOf(tokenOf(request)));
  app.get('/api/v10/users/@me/guilds', async (request) =>
    world.guildsOf(tokenOf(request)).map((id) => ({ id, name: id === exampleGuild.id ? exampleGuild.name : id })),
  );
  app.get('/api/v10/guilds/:id/channels', async (request: ChannelRequest) => [
    { id: 'lounge', name: 'Lounge', type: 2, position: 0, guild_id: request.params.id },
    ...world
      .channelsOf(request.params.id)
      .map((id, index) => ({ id, name: id, type: 0, position: index + 1, guild_id: request.params.id })),
  ]);
  app.get('/api/v10/guilds/:id/roles', async (request: ChannelRequest) => [
    { id: request.params.id, name: '@everyone' },
    world.roleOf(tokenOf(request)),
  ]);
  app.get('/api/v10/channels/:id', async (request: ChannelRequest) => {
    const { id } = request.params;
    const parent = world.threads.get(id);
    return { id, guild_id: world.guildOf(id), ...(parent ? { type: 11, parent_id: parent } : { type: 0 }) };
  });
  app.post('/api/v10/channels/:id/typing', async (request: ChannelRequest, reply) => {
    world.typing.push(request.params.id);
    return reply.code(204).send();
  });
  app.post('/api/v10/channels/:id/messages', async (request: ChannelRequest, reply) => {
    const { content = '' } = request.body as NewMessage;
    if (content.length === 0 || content.length > 2_000) return fail(reply, 400);
    return say(request);
  });
}

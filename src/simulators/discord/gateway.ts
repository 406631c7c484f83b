import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { DiscordEvent, DiscordWorld } from './world.ts';

const op = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, invalidSession: 9, hello: 10, ack: 11 };
const keptEvents = 2_000;

interface Session {
  id: string;
  token: string;
  sequence: number;
  /** The newest events, for replay after a resume. */
  sent: string[];
  firstSequence: number;
  socket: WebSocket | null;
}

/**
 * Creates the gateway of a simulated Discord. Sessions outlive their sockets, so that missed events can be replayed.
 */
export function createDiscordGateway(world: DiscordWorld, heartbeatMs: number) {
  const server = new WebSocketServer({ noServer: true });
  const sessions = new Map<string, Session>();
  const sockets = new Map<WebSocket, Session | null>();
  const counts = { identified: 0, resumed: 0 };

  const send = (session: Session, t: string, d: unknown) => {
    const text = JSON.stringify({ op: op.dispatch, t, s: ++session.sequence, d });
    session.sent.push(text);
    if (session.sent.length > keptEvents) {
      session.sent.shift();
      session.firstSequence++;
    }
    session.socket?.send(text);
  };
  const dispatch = ({ guildId, data }: DiscordEvent) => {
    for (const session of sessions.values())
      if (world.sees(session.token, guildId)) send(session, 'MESSAGE_CREATE', data);
  };
  world.onEvent(dispatch);

  const identify = (socket: WebSocket, d: { token: string }) => {
    if (!world.isBot(d.token)) return socket.close(4004, 'Authentication failed.');
    counts.identified++;
    const id = randomUUID();
    const session: Session = { id, token: d.token, sequence: 0, sent: [], firstSequence: 1, socket };
    sessions.set(id, session);
    sockets.set(socket, session);
    const host = urls.get(socket) ?? '';
    send(session, 'READY', {
      v: 10,
      user: world.botOf(d.token),
      guilds: [],
      session_id: id,
      resume_gateway_url: host,
      shard: [0, 1],
      application: { id: world.botOf(d.token).id, flags: 0 },
    });
  };
  const resume = (socket: WebSocket, d: { token: string; session_id: string; seq: number }) => {
    if (!world.isBot(d.token)) return socket.close(4004, 'Authentication failed.');
    const session = sessions.get(d.session_id);
    if (session?.token !== d.token || d.seq + 1 < session.firstSequence) {
      return socket.send(JSON.stringify({ op: op.invalidSession, d: false }));
    }
    counts.resumed++;
    session.socket?.terminate();
    session.socket = socket;
    sockets.set(socket, session);
    for (const text of session.sent.slice(d.seq + 1 - session.firstSequence)) socket.send(text);
    send(session, 'RESUMED', {});
  };
  const receive = (socket: WebSocket, text: string) => {
    const { op: code, d } = JSON.parse(text) as { op: number; d: never };
    if (code === op.heartbeat) socket.send(JSON.stringify({ op: op.ack }));
    else if (code === op.identify) identify(socket, d);
    else if (code === op.resume) resume(socket, d);
  };
  const urls = new WeakMap<WebSocket, string>();
  const dropped = new WeakSet<WebSocket>();

  return {
    sockets,
    counts,
    dispatch,
    upgrade: (request: IncomingMessage, duplex: Duplex, head: Buffer) =>
      server.handleUpgrade(request, duplex, head, (socket) => {
        urls.set(socket, `ws://${request.headers.host ?? ''}/gateway`);
        sockets.set(socket, null);
        socket.on('message', (data: Buffer) => receive(socket, data.toString()));
        socket.on('error', () => undefined);
        socket.on('close', (code) => {
          const session = sockets.get(socket);
          sockets.delete(socket);
          if (session?.socket !== socket) return;
          session.socket = null;
          // These close codes end the session.
          if (!dropped.has(socket) && (code === 1000 || code === 1001)) sessions.delete(session.id);
        });
        socket.send(JSON.stringify({ op: op.hello, d: { heartbeat_interval: heartbeatMs } }));
      }),
    isConnected: (token: string) =>
      [...sessions.values()].some((session) => session.token === token && session.socket !== null),
    sendRaw: (text: string) => sockets.forEach((_, socket) => socket.send(text)),
    drop(code: number | null, token?: string) {
      for (const [socket, session] of sockets) {
        if (token !== undefined && session?.token !== token) continue;
        dropped.add(socket);
        if (code === null) socket.terminate();
        else socket.close(code);
      }
    },
    forget: () => sessions.clear(),
  };
}

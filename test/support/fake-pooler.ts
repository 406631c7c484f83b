import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { createStatementTracker, type Prepared } from './tracked-statements.ts';

/** Speaks enough of PostgreSQL's protocol to refuse what PgBouncer refuses. */
export interface FakePooler {
  /** The given database, through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** Startup parameters that PgBouncer accepts by default. */
const startupParameters = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
]);

/** `tracking`: transaction mode of PgBouncer 1.21 and newer, with `max_prepared_statements`. */
type Mode = 'session' | 'transaction' | 'tracking';

/** Starts a fake PgBouncer in front of `databaseUrl`. */
export async function startFakePooler(databaseUrl: string, mode: Mode): Promise<FakePooler> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const sessions = createSessions(databaseUrl);
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined).on('close', () => sockets.delete(client));
    client.once('data', (packet: Buffer) => {
      const refused = parametersOf(packet).find((name) => !startupParameters.has(name.toLowerCase()));
      if (refused) return void client.end(errorMessage(`unsupported startup parameter: ${refused}`));
      if (mode === 'session') relaySession(client, packet, target);
      else multiplex(client, sessions, mode === 'tracking');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await sessions.close();
    },
  };
}

const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const errorMessage = (text: string): Buffer => message('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`));

/** Returns the parameter names of a startup packet: length, version, then pairs of strings. */
const parametersOf = (packet: Buffer): string[] =>
  packet
    .subarray(8)
    .toString()
    .split('\0')
    .filter((name, i) => i % 2 === 0 && name !== '');

/** Calls `each` for every complete message and keeps the rest for the next call. */
function framed(each: (type: string, bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      each(rest.toString('latin1', 0, 1), rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

const fakeKey = (): Buffer => message('K', int32(randomInt(1, 2 ** 31 - 1)), int32(1));

/** One session for the life of the client. Only the process id differs from that of the backend. */
function relaySession(client: Socket, startup: Buffer, target: URL): void {
  const upstream = connect(Number(target.port), target.hostname);
  upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.on('close', () => upstream.destroy());
  upstream.write(startup);
  upstream.on(
    'data',
    framed((type, bytes) => void client.write(type === 'K' ? fakeKey() : bytes)),
  );
  client.on('data', (chunk) => void upstream.write(chunk));
}

interface Session {
  stream: Socket;
  prepared: Prepared;
  /** Gets each message of the backend. */
  onMessage: (type: string, bytes: Buffer) => void;
}

/** The pooler's sessions. The last one released is reused first. */
function createSessions(databaseUrl: string) {
  const free: Session[] = [];
  const clients: pg.Client[] = [];
  const open = async (): Promise<Session> => {
    const client = new pg.Client(databaseUrl);
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    const { stream } = (client as pg.Client & { connection: { stream: Socket } }).connection;
    const session: Session = { stream, prepared: new Set(), onMessage: () => undefined };
    stream.removeAllListeners('data');
    stream.on(
      'data',
      framed((type, bytes) => session.onMessage(type, bytes)),
    );
    return session;
  };
  return {
    take: async () => free.pop() ?? (await open()),
    release: (session: Session) => void free.push(session),
    close: async () => {
      for (const client of clients)
        (client as pg.Client & { connection: { stream: Socket } }).connection.stream.destroy();
    },
  };
}

/** Assigns a session to each transaction of the client. */
function multiplex(client: Socket, sessions: ReturnType<typeof createSessions>, tracks: boolean): void {
  const tracker = tracks ? createStatementTracker() : null;
  const authenticated = message('R', int32(0));
  client.write(Buffer.concat([authenticated, fakeKey(), message('Z', Buffer.from('I'))]));
  let taken: Promise<Session> | null = null;
  let unanswered = 0;
  const take = async (): Promise<Session> => {
    const session = await sessions.take();
    session.onMessage = (type, bytes) => {
      if (tracker?.isForClient(type, session.prepared) ?? true) client.write(bytes);
      if (type !== 'Z' || --unanswered > 0 || bytes.toString('latin1', 5) !== 'I') return;
      taken = null;
      sessions.release(session);
    };
    return session;
  };
  client.on(
    'data',
    framed((type, bytes) => {
      if (type === 'X') return void client.end();
      if (type === 'Q' || type === 'S') unanswered++;
      taken ??= take();
      void taken.then((session) => session.stream.write(tracker?.forward(type, bytes, session.prepared) ?? bytes));
    }),
  );
}

import { createHash } from 'node:crypto';

/** Recipient of an expected acknowledgement: the client or the pooler; `sync` is the end of a batch. */
type Expected = 'client' | 'pooler' | 'sync';

/** Names of the statements that a pooler session has prepared. */
export type Prepared = Set<string>;

/**
 * Tracks the prepared statements of one client as PgBouncer 1.21 does: each gets a name from the pooler, and is prepared
 * in a session before the client uses it there.
 */
export function createStatementTracker() {
  /** By the client's name: the pooler's name and the rest of the Parse message. */
  const statements = new Map<string, { name: string; rest: Buffer }>();
  const expected: Expected[] = [];

  const close = (name: string): Buffer => (expected.push('pooler'), frame('C', Buffer.from(`S${name}\0`)));

  function parse(name: string, rest: Buffer, prepared: Prepared, whose: Expected): Buffer[] {
    prepared.add(name);
    // Close it first: a session in which preparing failed may or may not have it.
    const messages = [close(name), frame('P', Buffer.concat([Buffer.from(`${name}\0`), rest]))];
    expected.push(whose);
    return messages;
  }

  function use(clientName: string, prepared: Prepared): { name: string; before: Buffer[] } {
    const known = statements.get(clientName);
    if (!known) return { name: clientName, before: [] };
    return {
      name: known.name,
      before: prepared.has(known.name) ? [] : parse(known.name, known.rest, prepared, 'pooler'),
    };
  }

  return {
    /** Returns the bytes to send to a session instead of the client's message. */
    forward(type: string, bytes: Buffer, prepared: Prepared): Buffer {
      const body = bytes.subarray(5);
      if (type === 'Q' || type === 'S') expected.push('sync');
      if (type === 'P') {
        const [clientName, rest] = cString(body);
        if (clientName !== '') {
          const name = `pooler_${createHash('sha256').update(rest).digest('hex').slice(0, 20)}`;
          statements.set(clientName, { name, rest });
          return Buffer.concat(parse(name, rest, prepared, 'client'));
        }
        expected.push('client');
      }
      if (type === 'C') expected.push('client');
      if (type === 'B') {
        const [portal, afterPortal] = cString(body);
        const [clientName, rest] = cString(afterPortal);
        const { name, before } = use(clientName, prepared);
        return Buffer.concat([...before, frame('B', Buffer.concat([Buffer.from(`${portal}\0${name}\0`), rest]))]);
      }
      if (type === 'D' && body.toString('latin1', 0, 1) === 'S') {
        const { name, before } = use(cString(body.subarray(1))[0], prepared);
        return Buffer.concat([...before, frame('D', Buffer.from(`S${name}\0`))]);
      }
      return bytes;
    },
    /** Whether a message from the session must be forwarded to the client. */
    isForClient(type: string, prepared: Prepared): boolean {
      if (type === '1' || type === '3') return expected.shift() === 'client';
      // After an error, messages up to the Sync are skipped.
      if (type === 'E') prepared.clear();
      if (type === 'Z') expected.splice(0, expected.indexOf('sync') + 1);
      return true;
    },
  };
}

const frame = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

/** Splits a buffer at its first NUL. */
function cString(bytes: Buffer): [string, Buffer] {
  const end = bytes.indexOf(0);
  return [bytes.toString('utf8', 0, end), bytes.subarray(end + 1)];
}

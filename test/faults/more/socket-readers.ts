import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openSocket, type TestSocket } from '../../support/socket.ts';

interface Reader {
  /** Positions of messages in the order of arrival, without repeats. */
  positions: number[];
  /** Reasons of the reconnections. */
  breaks: string[];
  stop: () => void;
}

/** Follows a conversation on any running instance and reconnects after each lost connection. */
export function follow(instances: () => readonly { baseUrl: string }[], token: string, id: string): Reader {
  const stopped = new AbortController();
  const reader: Reader = { positions: [], breaks: [], stop: () => stopped.abort() };
  let after: string | null = null;
  let socket: TestSocket | null = null;
  void (async () => {
    for (let turn = Math.floor(Math.random() * 2); !stopped.signal.aborted; turn++) {
      const { baseUrl } = instances()[turn % instances().length]!;
      try {
        socket = await openSocket(baseUrl, token);
        socket.send({ op: 'subscribe', id: '1', channel: `conversation:${id}`, after: after ?? '1' });
        for (;;) {
          const { op, type, offset, code } = await socket.take(({ op }) => ['event', 'ended', 'error'].includes(op));
          if (op !== 'event') throw new Error(`${op} with ${code}`);
          after = offset ?? after;
          const position = Number(offset);
          if (type === 'message.created' && !reader.positions.includes(position)) reader.positions.push(position);
        }
      } catch (error) {
        reader.breaks.push(String(error));
        socket?.socket.terminate();
        await sleep(100);
      }
    }
    socket?.close();
  })();
  return reader;
}

/** Returns the positions of the stored messages after the greeting. */
export async function storedPositions(db: pg.Pool, conversation: string): Promise<number[]> {
  const sql = 'select position from messages where conversation_id = $1 and position > 1 order by position';
  return (await db.query<{ position: number }>(sql, [conversation])).rows.map(({ position }) => position);
}

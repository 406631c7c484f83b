import { ConnectionError } from './errors.ts';

/** One event of an event stream. */
export interface Frame {
  event: string;
  id: string;
  data: string;
}

/**
 * Reads the events of a stream as they arrive and skips heartbeats. Leaving the loop cancels the stream.
 * @throws ConnectionError when the connection is lost or silent for longer than `idleMs`
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array> | null,
  idleMs: number,
): AsyncGenerator<Frame, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let frame = emptyFrame();
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, idleMs);
      if (done) return;
      // A line ends in CR, LF or both; a CR at the end of a chunk may be the first half of both.
      const text = rest + decoder.decode(value, { stream: true });
      const usable = text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, usable).split(/\r\n|\n|\r/);
      rest = `${lines.pop() ?? ''}${text.slice(usable)}`;
      for (const line of lines) {
        if (line !== '') addLine(frame, line);
        else {
          if (frame.data !== '') yield { ...frame, data: frame.data.slice(0, -1) };
          frame = emptyFrame();
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const emptyFrame = (): Frame => ({ event: 'message', id: '', data: '' });

function addLine(frame: Frame, line: string): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') frame.data += `${value}\n`;
  else if (name === 'event' || name === 'id') frame[name] = value;
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ConnectionError(`The stream was silent for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionError('The stream was interrupted.', { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

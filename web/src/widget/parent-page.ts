import type { FromFrame, ToFrame } from './messages.ts';

/** Messages with the embedding page. The origin is that of its first `hello`; `frame-ancestors` limits who can embed. */
export class ParentPage {
  private origin: string | null = null;

  listen(onMessage: (message: ToFrame, origin: string) => void): void {
    addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== window.parent || source === window || (this.origin !== null && this.origin !== origin)) return;
      const message = read(data);
      if (!message || (this.origin === null && message.type !== 'hello')) return;
      this.origin = origin;
      onMessage(message, origin);
    });
  }

  send(message: FromFrame): void {
    if (this.origin !== null) window.parent.postMessage(message, this.origin);
  }
}

function read(data: unknown): ToFrame | null {
  if (typeof data !== 'object' || data === null || !('type' in data)) return null;
  if (data.type === 'open' || data.type === 'close') return { type: data.type };
  if (data.type !== 'hello') return null;
  const identity = 'identity' in data && typeof data.identity === 'string' ? data.identity : undefined;
  return { type: 'hello', identity };
}

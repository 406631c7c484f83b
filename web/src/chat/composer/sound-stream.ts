/** Streams a sound into an audio element. Where Media Source Extensions do not support it, waits for all of it. */
export async function attachSound(audio: HTMLAudioElement, response: Response, signal: AbortSignal): Promise<void> {
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  if (!response.body || !('MediaSource' in globalThis) || !MediaSource.isTypeSupported(type)) {
    audio.src = URL.createObjectURL(await response.blob());
    return;
  }
  const source = new MediaSource();
  audio.src = URL.createObjectURL(source);
  await once(source, 'sourceopen');
  void feed(source, source.addSourceBuffer(type), response.body.getReader(), signal);
}

async function feed(
  source: MediaSource,
  buffer: SourceBuffer,
  pieces: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done || signal.aborted) break;
      buffer.appendBuffer(value);
      await once(buffer, 'updateend');
    }
    if (source.readyState === 'open') source.endOfStream();
  } catch {
    // The rest is lost; play what arrived.
    if (!signal.aborted && source.readyState === 'open') source.endOfStream('network');
  }
}

const once = (target: EventTarget, event: string): Promise<unknown> =>
  new Promise((resolve) => {
    target.addEventListener(event, resolve, { once: true });
  });

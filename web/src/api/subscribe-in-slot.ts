import type { TypedDocumentString } from './generated/operations.ts';
import { acquireSlot } from './locks.ts';
import { subscribe, type SubscribeOptions } from './subscribe.ts';

/**
 * Streams at a time in all tabs of a browser, which over HTTP/1.1 share six connections per host. With a stream of live
 * events, one connection is left for other requests.
 */
const slots = { reply: 3, list: 1 };

interface SlotOptions extends SubscribeOptions {
  /** Called with true if no slot is free, then with false once there is one. */
  onQueued?: (isQueued: boolean) => void;
}

/** Like `subscribe`, but waits until one of the slots is free. */
export async function* subscribeInSlot<Result, Variables>(
  kind: keyof typeof slots,
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { onQueued, ...options }: SlotOptions,
): AsyncGenerator<Result, void, void> {
  const leave = await acquireSlot(kind, slots[kind], options.signal, () => onQueued?.(true));
  onQueued?.(false);
  try {
    yield* subscribe(document, variables, options);
  } finally {
    leave();
  }
}

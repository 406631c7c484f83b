import { asApiError } from './api-error.ts';
import type { TypedDocumentString } from './generated/operations.ts';
import { subscribeInSlot } from './subscribe-in-slot.ts';
import { waitForNetwork } from './wait-for-network.ts';
import { whileSeen } from './while-seen.ts';

interface ListFollower<Result> {
  onResult: (result: Result) => void;
  /** Reads the list, because results may have been missed. Called when a stream opens and, without one, at intervals. */
  readAgain: () => void;
}

const pollMs = 3_000;

/**
 * Follows what a screen lists while its tab is visible. One tab at a time has a stream; the others poll. Returns a
 * function that stops it.
 */
export const followList = <Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  follower: ListFollower<Result>,
): (() => void) => whileSeen(0, (signal) => void follow(document, variables, follower, signal));

async function follow<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { onResult, readAgain }: ListFollower<Result>,
  signal: AbortSignal,
): Promise<void> {
  let isOpen = false;
  let isDeleted = false;
  const poll = setInterval(() => !isOpen && readAgain(), pollMs);
  const onOpen = (): void => {
    isOpen = true;
    readAgain();
  };
  for (let attempt = 0; !signal.aborted && !isDeleted; attempt++) {
    try {
      for await (const result of subscribeInSlot('list', document, variables, { signal, onOpen })) {
        attempt = 0;
        onResult(result);
      }
    } catch (error) {
      // The subject of the list, such as a webhook.
      isDeleted = asApiError(error).code === 'NOT_FOUND';
    }
    isOpen = false;
    if (!signal.aborted && !isDeleted) await waitForNetwork(attempt + 1, signal);
  }
  clearInterval(poll);
}

import { asApiError } from './api-error.ts';
import type { TypedDocumentString } from './generated/operations.ts';
import { request } from './request.ts';

/** Runs a mutation that removes something. If that no longer exists, the removal counts as done. */
export async function requestRemoval<Variables>(
  document: TypedDocumentString<unknown, Variables>,
  variables: Variables,
): Promise<void> {
  try {
    await request(document, variables);
  } catch (error) {
    if (asApiError(error).code !== 'NOT_FOUND') throw error;
  }
}

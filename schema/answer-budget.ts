import { AppError } from '../src/core/errors.ts';

/** Maximum size of a GraphQL response in bytes (10 MiB). */
export const maxAnswerBytes = 10 * 1_048_576;

/** Creates the error for a response over the limit. */
export const answerTooLarge = (): AppError =>
  new AppError('payload_too_large', {
    message: 'The response would exceed 10 MB. Select fewer fields or request smaller pages.',
  });

/**
 * Tracks the size of the long texts in a response while they are read, so that a response over the limit is rejected
 * before all of it is in memory.
 */
export class AnswerBudget {
  #left = maxAnswerBytes;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * Adds the length of texts that will be part of the response, in UTF-16 code units.
   * @throws AppError `payload_too_large`
   */
  spend(...texts: readonly (string | null | undefined)[]): void {
    for (const text of texts) this.#left -= text?.length ?? 0;
    if (this.#left < 0) throw answerTooLarge();
  }

  /**
   * Runs loads one at a time, so that no further load starts after the budget is exhausted.
   * @throws AppError `payload_too_large`
   */
  async inTurn<Result>(load: () => Promise<Result>): Promise<Result> {
    const run = this.#turn.then(() => {
      this.spend();
      return load();
    });
    this.#turn = run.catch(() => undefined);
    return run;
  }
}

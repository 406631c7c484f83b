import { AppError } from '../src/core/errors.ts';

/** Size limit of one GraphQL response. */
export const maxAnswerBytes = 10 * 1_048_576;

/** @returns the error for a response over the limit. */
export const answerTooLarge = (): AppError =>
  new AppError('payload_too_large', {
    message: 'The response would exceed 10 MB. Select fewer fields or request smaller pages.',
  });

/**
 * Counts long texts of one response while they are read, so that a response over the limit is refused before all of it is
 * in memory.
 */
export class AnswerBudget {
  #left = maxAnswerBytes;
  #turn: Promise<unknown> = Promise.resolve();

  /** Counts texts that will be part of the response. @throws AppError `payload_too_large` */
  spend(...texts: readonly (string | null | undefined)[]): void {
    for (const text of texts) this.#left -= text?.length ?? 0;
    if (this.#left < 0) throw answerTooLarge();
  }

  /** Runs loads one after the other: those behind one that exhausts the budget do not start. */
  async inTurn<Result>(load: () => Promise<Result>): Promise<Result> {
    const run = this.#turn.then(() => {
      this.spend();
      return load();
    });
    this.#turn = run.catch(() => undefined);
    return run;
  }
}

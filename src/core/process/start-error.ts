/** The service can't start, for a reason that a person can mend. `main.ts` prints the message alone, without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/**
 * Thrown when the service cannot start for a reason that an operator can fix. `main.ts` prints only the message,
 * without a stack.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

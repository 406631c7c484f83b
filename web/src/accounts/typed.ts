/** Values of the sign-in form by field name. */
export type Typed = Record<string, string>;

let last: Typed = {};

/** Keeps what was typed for the next page. Only in memory, because an address or a storage must not hold a password. */
export function keepTyped(typed: Typed): void {
  last = typed;
}

export const lastTyped = (): Typed => last;

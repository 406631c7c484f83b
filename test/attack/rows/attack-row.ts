/** An attack, the response that it must get, and where it is tried. */
export interface AttackRow {
  id: string;
  attack: string;
  expected: string;
  /** What the interface promises where it differs from `expected`; the promise wins. */
  decided?: string;
  /** Guarantees of the default suite that also try it and are run again: `file > part of the name`. */
  suite?: readonly string[];
}

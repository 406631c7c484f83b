/** An attack, the answer that it must get, and where it is tried. */
export interface AttackRow {
  id: string;
  attack: string;
  expected: string;
  /** What the interface says where it differs from `expected`; that wins. */
  decided?: string;
  /** Guarantees of the default suite that try it too, run here again: `file > part of the name`. */
  suite?: readonly string[];
}

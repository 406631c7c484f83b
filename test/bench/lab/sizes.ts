import type { Bench } from '../row.ts';

interface Sizes<Size> {
  quick: Size;
  usual: Size;
  reference: Size;
  /** Of `--long`; the reference by default. */
  long?: Size;
}

/** Returns the size for the options of the run. `--quick` takes precedence. */
export function sizeFor<Size>(run: Pick<Bench, 'isQuick' | 'isLong' | 'isReference'>, sizes: Sizes<Size>): Size {
  if (run.isQuick) return sizes.quick;
  if (run.isLong && sizes.long !== undefined) return sizes.long;
  return run.isReference ? sizes.reference : sizes.usual;
}

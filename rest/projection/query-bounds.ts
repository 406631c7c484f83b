import { int32 } from '../../src/core/input.ts';

export interface Bounds {
  min: number;
  max: number;
  default: number;
}

/** Whole numbers of query strings that have the same bounds on every list; validation and OpenAPI read them. */
export const queryBounds: Readonly<Record<string, Bounds | undefined>> = {
  limit: { min: 1, max: 100, default: 20 },
  offset: { min: 0, max: int32.max, default: 0 },
};

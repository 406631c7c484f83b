export interface Bounds {
  min: number;
  max: number;
  default: number;
}

/** Whole numbers of query strings that have the same bounds on every list; validation and OpenAPI read them. */
export const queryBounds: Readonly<Record<string, Bounds | undefined>> = {
  limit: { min: 1, max: 100, default: 20 },
  offset: { min: 0, max: 2_147_483_647, default: 0 },
};

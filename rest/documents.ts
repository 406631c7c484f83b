import emitted from './documents.json' with { type: 'json' };

/** The GraphQL document on the projection that each JSON route runs, by the route's operation. */
export type Documents = Readonly<Record<string, string | undefined>>;

/** The documents of /v1, as written by `npm run emit`. */
export const documents: Documents = emitted;

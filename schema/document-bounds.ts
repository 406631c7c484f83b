import { type DocumentNode, GraphQLError, parse, visit } from 'graphql';
import { maxTokens } from './limits.ts';

/**
 * Pairs of fields with the same response key. Validation compares such fields with each other, so its time grows with
 * their number.
 */
const maxEqualPairs = 5_000;
const maxSpreads = 100;
const maxAccepted = 500;
const maxAcceptedLength = 16_384;

/** Documents that were accepted before. Clients repeat theirs, and most are the same for all of them. */
const accepted = new Set<string>();

/**
 * Rejects a document that would take long to validate, before it is validated. Accepts what cannot be parsed: the parser's
 * error is reported later.
 * @throws GraphQLError
 */
export function requireBoundedDocument(source: string): void {
  if (accepted.has(source)) return;
  const document = parsed(source);
  if (document === null) return;
  const { equalPairs, spreads } = measure(document);
  if (equalPairs > maxEqualPairs) throw new GraphQLError('The document repeats the same fields too often.');
  if (spreads > maxSpreads) throw new GraphQLError(`The document spreads fragments more than ${maxSpreads} times.`);
  if (source.length > maxAcceptedLength) return;
  if (accepted.size >= maxAccepted) accepted.clear();
  accepted.add(source);
}

function parsed(source: string): DocumentNode | null {
  try {
    return parse(source, { maxLexicalTokens: maxTokens, noLocation: true });
  } catch {
    return null;
  }
}

function measure(document: DocumentNode): { equalPairs: number; spreads: number } {
  const counts = new Map<string, number>();
  let equalPairs = 0;
  let spreads = 0;
  visit(document, {
    Field({ alias, name }) {
      const key = (alias ?? name).value;
      const earlier = counts.get(key) ?? 0;
      equalPairs += earlier;
      counts.set(key, earlier + 1);
    },
    FragmentSpread() {
      spreads++;
    },
    InlineFragment() {
      spreads++;
    },
  });
  return { equalPairs, spreads };
}

import { type DocumentNode, GraphQLError, parse, visit } from 'graphql';
import { maxTokens } from './limits.ts';

/**
 * Maximum number of pairs of fields with the same response key. Validation compares these pairs, so its time grows with
 * their number.
 */
const maxEqualPairs = 5_000;
const maxSpreads = 100;
const maxAccepted = 500;
const maxAcceptedLength = 16_384;

/** Cache of accepted documents, because most clients send the same ones repeatedly. */
const accepted = new Set<string>();

/**
 * Rejects a document that would take long to validate. Ignores documents that cannot be parsed, because the parser
 * reports them later.
 * @throws GraphQLError
 */
export function requireBoundedDocument(source: string): void {
  if (accepted.has(source)) return;
  const document = parsed(source);
  if (document === null) return;
  requireBounds(document);
  if (source.length > maxAcceptedLength) return;
  if (accepted.size >= maxAccepted) accepted.clear();
  accepted.add(source);
}

/** Rejects a parsed document that would take long to validate. @throws GraphQLError */
export function requireBounds(document: DocumentNode): void {
  const { equalPairs, spreads } = measure(document);
  if (equalPairs > maxEqualPairs) throw new GraphQLError('The document repeats the same fields too often.');
  if (spreads > maxSpreads) throw new GraphQLError(`The document spreads fragments more than ${maxSpreads} times.`);
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

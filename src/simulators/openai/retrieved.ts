import { keywordsOf, sentencesOf, spacedPairs, stem } from './words.ts';

const fenced = /^=== begin (\w+) ([0-9a-f]{32}) ===\n([\s\S]*?)\n=== end \1 \2 ===$/gm;

/** Returns the blocks between fences, which are data and not instructions. */
export const fencedBlocks = (text: string): { label: string; content: string }[] =>
  [...text.matchAll(fenced)].map(([, label = '', , content = '']) => ({ label, content }));

/** Returns the instructions without fenced data and its random keys. */
export const outsideFences = (text: string): string => text.replace(fenced, '');

export interface Quote {
  sentence: string;
  source: string | null;
  /** Source mark of the passage, which follows a quotation in a reply. */
  mark: string | null;
}

/** Returns the retrieved sentence that shares the most words with the question; null when none shares any. */
export function bestSentence(question: string, documents: string): Quote | null {
  const asked = new Set(keywordsOf(spacedPairs(question)).map(stem));
  const asksNumber = /\b(?:how (?:long|many|much|old|often|soon)|when|price|cost)\b/i.test(question);
  let best: Quote | null = null;
  let bestScore = 0;
  let source: string | null = null;
  let mark: string | null = null;
  for (const line of unwrapped(documents).split('\n')) {
    const heading = /^(【\d+】) (.+)$/.exec(line);
    if (heading) {
      mark = heading[1] ?? null;
      source = heading[2] ?? null;
      continue;
    }
    if (line.startsWith('#')) continue;
    for (const sentence of sentencesOf(line)) {
      const words = keywordsOf(spacedPairs(sentence)).map(stem);
      const shared = words.filter((word) => asked.has(word)).length;
      const score =
        shared === 0 ? 0 : (shared + (asksNumber && /\d/.test(sentence) ? 0.5 : 0)) / Math.sqrt(words.length + 20);
      if (score <= bestScore) continue;
      bestScore = score;
      best = { sentence: sentence.slice(0, 600), source, mark };
    }
  }
  return best;
}

/** Joins lines that were broken inside a sentence. */
const unwrapped = (text: string): string => text.replace(/^(?![#【])(.*[^.!?:\s])[ \t]*\n(?=\p{Ll}|\d+ )/gmu, '$1 ');

import type { GuideSection } from './guide-pages.ts';

const maxQueryCharacters = 200;
const maxTerms = 8;
const maxResults = 20;
const excerptCharacters = 240;
const headingWeight = 10;

export interface GuideResult {
  section: GuideSection;
  excerpt: string;
}

/**
 * Returns the sections that contain every word of the query, best first. A word in the heading counts more than any number of them in the
 * text.
 */
export function searchGuide(sections: readonly GuideSection[], query: string): GuideResult[] {
  const terms = query.slice(0, maxQueryCharacters).toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxTerms);
  if (terms.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, terms[0] ?? '') }));
}

/** Returns 0 unless every term occurs. */
function scoreOf(section: GuideSection, terms: readonly string[]): number {
  const heading = `${section.page.title} ${section.heading}`.toLowerCase();
  const text = section.text.toLowerCase();
  let score = 0;
  for (const term of terms) {
    const inText = Math.min(text.split(term).length - 1, headingWeight - 1);
    const count = inText + (heading.includes(term) ? headingWeight : 0);
    if (count === 0) return 0;
    score += count;
  }
  return score;
}

function excerptOf(text: string, term: string): string {
  const at = text.toLowerCase().indexOf(term);
  const start = text.lastIndexOf(' ', Math.max(0, at - excerptCharacters / 3)) + 1;
  const excerpt = text.slice(start, start + excerptCharacters);
  return `${start > 0 ? '… ' : ''}${excerpt}${start + excerptCharacters < text.length ? ' …' : ''}`;
}

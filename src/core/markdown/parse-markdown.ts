import { Marked, type MarkedExtension, Parser, type Token } from 'marked';
import { BoundedLexer, boundedTokens } from './bounded-lexer.ts';
import { mathTokens } from './math.ts';

export interface MarkdownParser {
  /** Returns the tree of a text. The sources (`raw`) of its blocks, joined, are the text with normalized white space. */
  parse(text: string): Token[];
  /** Returns the HTML of a tree, which is not safe unless the renderers of `extensions` make it so. */
  html(tokens: Token[]): string;
}

/**
 * Creates a parser of GitHub Flavored Markdown with formulas. Its time and the depth of its trees are bounded, whatever
 * the text contains: what exceeds the bounds stays text.
 */
export function createMarkdownParser(...extensions: MarkedExtension[]): MarkdownParser {
  const { defaults } = new Marked({ gfm: true }, mathTokens, boundedTokens, ...extensions);
  return {
    parse: (text) => new BoundedLexer(defaults).lex(text),
    html: (tokens) => new Parser(defaults).parse(tokens),
  };
}

const plain = createMarkdownParser();

/** Parses Markdown, in bounded time. */
export const parseMarkdown = (text: string): Token[] => plain.parse(text);

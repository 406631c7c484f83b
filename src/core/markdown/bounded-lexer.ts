import { Lexer, type MarkedExtension, type Token, type TokensList } from 'marked';

/** Largest number of nested quotes, lists, links and emphases. Deeper ones stay text. */
const maxNesting = 16;
/** Largest number of paragraphs, headings, items and other blocks, at all levels. */
const maxBlocks = 1_500;
/** Work on inline marks, in characters that the parser may read for them. A million take about 50 ms. */
const maxInlineWork = 500_000;
/** Work on lines, in characters that the parser may read for them. */
const maxLineWork = 3_000_000;
/** Largest number of cells of a table, including those that the parser adds to short rows. */
const maxCells = 4_000;
/** Longest definition of a link. A short reference repeats its URL. */
const maxDefinitionLength = 500;

const marks = /[\\`*_[\]<!~$@]|:\/\/|www\.|&#/g;
/** Marks only where an email address may follow. */
const addressMarks = /[.#%&'+/=?^{|}-]/g;
/** Lines such as `---`, `|-|` and `$$`, at each of which the parser looks ahead to the end of the paragraph. */
const ruleLines = /^[ \t>]*(?:[-=|:+][-=|: \t+]*$|\$\$|\\\[)/gm;
const bulletLines = /^[ \t]*(?:[*+-]|\d{1,9}[.)])(?=[ \t\n]|$)/gm;
const firstBullet = /^[ \t]*(?:[*+-]|\d{1,9}[.)])(?=[ \t\n]|$)/;

class TooMuchWork extends Error {}

/**
 * Lexer with a bound on its time, whatever the text contains. What is nested too deep or has more marks than can be
 * parsed in time stays text; a text of too many blocks or lines stays text as a whole.
 */
export class BoundedLexer extends Lexer {
  private depth = 0;
  private blocksLeft = maxBlocks;
  private lineWorkLeft = maxLineWork;
  private inlineWorkLeft = maxInlineWork;

  override lex(text: string): TokensList {
    try {
      return super.lex(text);
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      this.inlineQueue = [];
      this.tokens.splice(0, this.tokens.length, ...asText(text, []));
      return this.tokens;
    }
  }

  /** Counts blocks or work on lines. Called by the tokenizer before it does the work. */
  spend({ blocks = 0, lineWork = 0 }: { blocks?: number; lineWork?: number }): void {
    this.blocksLeft -= blocks;
    this.lineWorkLeft -= lineWork;
    if (this.blocksLeft < 0 || this.lineWorkLeft < 0) throw new TooMuchWork();
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    if (this.depth >= maxNesting) return asText(src, tokens);
    this.depth++;
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped);
    } finally {
      this.depth--;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const work = inlineWork(src);
    if (this.depth >= maxNesting || work > this.inlineWorkLeft) return asText(src, tokens);
    this.inlineWorkLeft -= work;
    this.depth++;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.depth--;
    }
  }
}

const spend = (lexer: Lexer, work: { blocks?: number; lineWork?: number }): false => {
  if (lexer instanceof BoundedLexer) lexer.spend(work);
  return false;
};

/** Counts work, and keeps tables and link definitions text whose result would be much longer than their source. */
export const boundedTokens: MarkedExtension = {
  // A function that returns false leaves the text to the parser's own.
  tokenizer: {
    // The parser tries it first for each block.
    space() {
      return spend(this.lexer, { blocks: 1 });
    },
    list(src) {
      return firstBullet.test(src) && spend(this.lexer, { lineWork: listWork(src) });
    },
    table(src) {
      const rows = runOf(src).split('\n');
      const columns = rows[0]?.split('|').length ?? 0;
      return columns * rows.length > maxCells ? undefined : false;
    },
    def(src) {
      const end = src.indexOf('\n');
      return (end < 0 ? src.length : end) > maxDefinitionLength ? undefined : false;
    },
    // The parser tries it last, before it reads a paragraph.
    lheading(src) {
      const run = runOf(src);
      return spend(this.lexer, { lineWork: run.length * (1 + countOf(run, ruleLines)) });
    },
  },
};

function asText(src: string, tokens: Token[]): Token[] {
  if (src !== '') tokens.push({ type: 'text', raw: src, text: src, escaped: false });
  return tokens;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Each mark may be compared with all of the text. */
const inlineWork = (src: string): number =>
  src.length * (countOf(src, marks) + (src.includes('@') ? countOf(src, addressMarks) : 0));

/** Returns the lines before the next blank line, beyond which a paragraph does not continue. */
function runOf(src: string): string {
  const end = src.search(/\n[ \t]*\n/);
  return end < 0 ? src : src.slice(0, end);
}

/** Appending a line to an item copies the item. */
function listWork(src: string): number {
  let work = 0;
  for (const run of src.split(/\n[ \t]*\n/)) {
    if (!/^(?:[ \t]|$)/.test(run) && !firstBullet.test(run)) break;
    work += (run.length * (countOf(run, /\n/g) + 1 - countOf(run, bulletLines))) / 4;
  }
  return work;
}

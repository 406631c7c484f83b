import type { Token } from 'marked';
import { parserOf } from './markdown-html.ts';

/** A piece of Markdown that is rendered on its own: a paragraph, a list, a table, a code block. */
export interface Block {
  /** `plain`: shown as it is, because the text exceeds the limits. */
  kind: 'markdown' | 'code' | 'table' | 'plain';
  source: string;
  /** The tree of the block. The same object as long as the source does not change. */
  tokens: Token[];
  /** Whether text that follows can no longer change it. */
  isSettled: boolean;
}

/** How many blocks at the end may still change while text arrives. */
const unsettledCount = 3;
/** Longest text that is parsed, in characters. */
export const maxMarkdownLength = 100_000;
/** Largest number of blocks, each of which costs a page about a tenth of a millisecond. */
export const maxShownBlocks = 500;

/** Splits growing Markdown into blocks. Parses only the unsettled end, so the cost does not grow with the text. */
export class BlockReader {
  private settled: Block[] = [];
  private last: Block[] = [];
  private readLength = 0;
  private text = '';
  private isMarked = false;

  /** Returns the blocks of `text`. Parses all of it unless it continues the text of the previous call. */
  read(text: string, isComplete: boolean, isMarked = false): Block[] {
    if (!text.startsWith(this.text) || isMarked !== this.isMarked) this.reset();
    this.text = text;
    this.isMarked = isMarked;
    const tokens = tokensOf(text.slice(this.readLength, maxMarkdownLength), isMarked);
    let settledCount = 0;
    for (const token of isComplete ? [] : tokens.slice(0, -unsettledCount)) {
      // The lexer normalizes some white space. Then the length of the token is not that of its source.
      if (!text.startsWith(token.raw, this.readLength)) break;
      this.settled.push(this.toBlock(token, this.settled.length, true));
      this.readLength += token.raw.length;
      settledCount += 1;
    }
    const unsettled = tokens
      .slice(settledCount)
      .map((token, index) => this.toBlock(token, this.settled.length + index, isComplete));
    this.last = withinLimits([...this.settled, ...unsettled], text.slice(maxMarkdownLength), isComplete);
    return this.last;
  }

  private toBlock(token: Token, index: number, isSettled: boolean): Block {
    const known = this.last[index];
    const kind = token.type === 'code' || token.type === 'table' ? token.type : 'markdown';
    const tokens = known?.source === token.raw && known.kind === kind ? known.tokens : [token];
    return { kind, source: token.raw, tokens, isSettled };
  }

  private reset(): void {
    this.settled = [];
    this.last = [];
    this.readLength = 0;
  }
}

/** Returns tokens whose sources, joined, are the text. White space belongs to the token before it. */
function tokensOf(text: string, isMarked: boolean): Token[] {
  const tokens: Token[] = [];
  for (const token of parserOf(isMarked).parse(text.replaceAll('\r', ' '))) {
    const last = tokens.at(-1);
    if (token.type === 'space' && last) last.raw += token.raw;
    else tokens.push(token);
  }
  return tokens;
}

/** Combines what exceeds the limits in one plain block. */
function withinLimits(blocks: Block[], rest: string, isSettled: boolean): Block[] {
  const source = blocks.slice(maxShownBlocks).reduce((text, block) => text + block.source, '') + rest;
  if (source === '') return blocks;
  return [...blocks.slice(0, maxShownBlocks), { kind: 'plain', source, tokens: [], isSettled }];
}

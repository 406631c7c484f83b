import { Lexer, marked, type Token } from 'marked';
import './math.ts';

/** A piece of Markdown that is rendered on its own: a paragraph, a list, a table, a code block. */
export interface Block {
  kind: 'markdown' | 'code' | 'table';
  source: string;
  /** Whether text that follows can no longer change it. */
  isSettled: boolean;
}

/** How many blocks at the end may still change while text arrives. */
const unsettledCount = 3;

/** Splits growing Markdown into blocks. Parses only the unsettled end, so the cost does not grow with the text. */
export class BlockReader {
  private settled: Block[] = [];
  private readLength = 0;
  private text = '';

  /** Returns the blocks of `text`. Parses all of it unless it continues the text of the previous call. */
  read(text: string, isComplete: boolean): Block[] {
    if (!text.startsWith(this.text)) this.reset();
    this.text = text;
    const tokens = tokensOf(text.slice(this.readLength));
    if (isComplete) return [...this.settled, ...tokens.map((token) => toBlock(token, true))];
    let settledCount = 0;
    for (const token of tokens.slice(0, -unsettledCount)) {
      // The lexer normalizes some white space. Then the length of the token is not that of its source.
      if (!text.startsWith(token.raw, this.readLength)) break;
      this.settled.push(toBlock(token, true));
      this.readLength += token.raw.length;
      settledCount += 1;
    }
    return [...this.settled, ...tokens.slice(settledCount).map((token) => toBlock(token, false))];
  }

  private reset(): void {
    this.settled = [];
    this.readLength = 0;
  }
}

/** Returns tokens whose sources, joined, are the text. White space belongs to the token before it. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const token of new Lexer({ ...marked.defaults, gfm: true }).blockTokens(text.replaceAll('\r', ' '), [])) {
    const last = tokens.at(-1);
    if (token.type === 'space' && last) last.raw += token.raw;
    else tokens.push(token);
  }
  return tokens;
}

const toBlock = (token: Token, isSettled: boolean): Block => ({
  kind: token.type === 'code' || token.type === 'table' ? token.type : 'markdown',
  source: token.raw,
  isSettled,
});

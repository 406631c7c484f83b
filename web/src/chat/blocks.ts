import { Lexer, marked, type Token } from 'marked';
import './math.ts';

/** A piece of Markdown that is drawn by itself: a paragraph, a list, a table, a code block. */
export interface Block {
  kind: 'markdown' | 'code' | 'table';
  source: string;
  /** Nothing that is still to come can change it. */
  isSettled: boolean;
}

/** So many blocks at the end may still change while text comes. */
const unsettledCount = 3;

/** Cuts growing Markdown into blocks. Only the unsettled end is read again, so that the cost does not grow with the text. */
export class BlockReader {
  private settled: Block[] = [];
  private readLength = 0;
  private text = '';

  /** The blocks of a text that begins with what was given before. */
  read(text: string, isComplete: boolean): Block[] {
    if (!text.startsWith(this.text)) this.reset();
    this.text = text;
    const tokens = tokensOf(text.slice(this.readLength));
    if (isComplete) return [...this.settled, ...tokens.map((token) => toBlock(token, true))];
    let settledCount = 0;
    for (const token of tokens.slice(0, -unsettledCount)) {
      // The lexer rewrites some white space; what it does not return as it was can't be counted off.
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

/** Tokens whose sources, joined, are the text: white space belongs to what is before it. */
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

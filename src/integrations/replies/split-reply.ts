import type { PlatformKind } from '../platforms.ports.ts';

/** Largest length of a message on each platform, in UTF-16 code units. */
export const replyLimits: Record<PlatformKind, number> = {
  chat_server: 2_000,
  chat_messenger: 4_096,
  chat_workspace: 3_000,
};

// Matches to the end of the line, because otherwise the pattern would backtrack from each mark.
const fenceLine = /^ {0,3}(`{3,}|~{3,})([^\n]*)/;

interface Fence {
  /** Line that reopens the fence in the next part. */
  open: string;
  close: string;
}

/**
 * Splits Markdown into parts of at most `limit` UTF-16 code units: between paragraphs if possible, otherwise between
 * lines, sentences, words or characters. A code fence that continues in the next part is closed and reopened there with
 * its language. Parts are never blank.
 */
export function splitReply(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  let fence: Fence | null = null;
  while (rest !== '') {
    const prefix: string = fence ? `${fence.open}\n` : '';
    if (prefix.length + rest.length <= limit) {
      parts.push(prefix + rest);
      break;
    }
    const cut = cutAt(rest, limit - prefix.length, fence);
    const body: string = rest.slice(0, cut).trimEnd();
    const after: Fence | null = fenceAfter(body, fence);
    if (body !== '') parts.push(prefix + body + (after ? `\n${after.close}` : ''));
    rest = after ? rest.slice(cut).replace(/^[^\S\n]*\n/, '') : rest.slice(cut).trimStart();
    fence = after;
  }
  return parts;
}

/**
 * Returns where to cut so that the part with its closing fence has at most `capacity` UTF-16 code units. The part has
 * at least one.
 */
function cutAt(rest: string, capacity: number, fence: Fence | null): number {
  const marks = [...`${fence?.close ?? ''}${longestFence(rest.slice(0, capacity))}`].length;
  const end = Math.max(1, capacity - marks - 1);
  const window = rest.slice(0, end);
  const enough = end / 3;
  for (const bound of [
    lastMatch(window, /\n[^\S\n]*\n/g, fence),
    window.lastIndexOf('\n'),
    lastSentence(window),
    window.lastIndexOf(' '),
  ]) {
    if (bound > enough) return bound + 1;
  }
  const isInside = /[\uD800-\uDBFF]/.test(rest[end - 1] ?? '') && end > 1;
  return isInside ? end - 1 : end;
}

/** Returns the last paragraph boundary outside code fences; -1 when there is none. */
function lastMatch(window: string, pattern: RegExp, fence: Fence | null): number {
  const bounds = [...window.matchAll(pattern)].map((match) => match.index);
  for (const bound of bounds.reverse()) if (!fenceAfter(window.slice(0, bound), fence)) return bound;
  return -1;
}

const lastSentence = (window: string): number =>
  Math.max(...['. ', '! ', '? ', '。'].map((end) => window.lastIndexOf(end)));

const longestFence = (text: string): string =>
  text.split('\n').reduce((longest, line) => {
    const mark = fenceLine.exec(line)?.[1] ?? '';
    return mark.length > longest.length ? mark : longest;
  }, '');

/** Returns the fence that is open at the end of `text` when `fence` is open at its start. */
function fenceAfter(text: string, fence: Fence | null): Fence | null {
  let open = fence;
  for (const line of text.split('\n')) {
    const [, mark, info = ''] = fenceLine.exec(line) ?? [];
    if (!mark) continue;
    if (!open) open = { open: `${mark}${info.trim().slice(0, 40)}`, close: mark };
    else if (mark.startsWith(open.close) && info.trim() === '') open = null;
  }
  return open;
}

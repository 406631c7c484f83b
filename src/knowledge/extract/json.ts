import { DocumentFailure } from '../document-failure.ts';
import { type ExtractedText, joinParts } from './extracted-text.ts';

const maxPathLength = 200;

/** Converts each value to one line with its path. */
export const jsonText = (text: string): ExtractedText => joinParts(valueLines(parseJson(text)), '\n');

function* valueLines(root: unknown): Generator<{ text: string; place: string }> {
  for (const { path, value } of leaves(root)) {
    const [place] = /^[^.[]*(?:\[\d+\])?/.exec(path) ?? [''];
    yield { text: path ? `${path}: ${value}` : value, place };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(withLongNumbersAsText(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    throw new DocumentFailure('unreadable', { cause: error });
  }
}

const maybeLong = /[\d.]{16}|\d[eE]/;
const numberAt = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const exactDigits = 15;

/** Quotes numbers that JavaScript would round, such as an id of 20 digits. */
function withLongNumbersAsText(json: string): string {
  if (!maybeLong.test(json)) return json;
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < json.length; i++) {
    const character = json[i] ?? '';
    if (character === '"') {
      for (i++; i < json.length && json[i] !== '"'; i++) if (json[i] === '\\') i++;
      continue;
    }
    if (character !== '-' && (character < '0' || character > '9')) continue;
    numberAt.lastIndex = i;
    const number = numberAt.exec(json)?.[0];
    if (number === undefined) continue;
    if (number.length > exactDigits || /e/i.test(number)) {
      parts.push(json.slice(from, i), '"', number, '"');
      from = i + number.length;
    }
    i += number.length - 1;
  }
  return parts.join('') + json.slice(from);
}

/** Yields the leaves in document order. Uses an explicit stack, because JSON may be nested deeper than the call stack. */
function* leaves(root: unknown): Generator<{ path: string; value: string }> {
  const stack: { path: string; value: unknown }[] = [{ path: '', value: root }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { path, value } = next;
    if (typeof value !== 'object' || value === null) {
      const shown = String(value);
      if (shown.trim()) yield { path, value: shown };
      continue;
    }
    const members = Array.isArray(value)
      ? value.map((member: unknown, i) => ({ path: shorten(`${path}[${i}]`), value: member }))
      : Object.entries(value).map(([key, member]: [string, unknown]) => ({
          path: shorten(path ? `${path}.${key}` : key),
          value: member,
        }));
    for (let i = members.length - 1; i >= 0; i--) {
      const member = members[i];
      if (member) stack.push(member);
    }
  }
}

/** Shortens a path from its beginning, because the end is more specific. */
const shorten = (path: string): string => (path.length <= maxPathLength ? path : `…${path.slice(1 - maxPathLength)}`);

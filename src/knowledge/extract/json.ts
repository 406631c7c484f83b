import { DocumentFailure } from '../document-failure.ts';
import { withoutEmbeddedFiles } from './embedded-files.ts';
import { createTextBuilder, type ExtractedText, type TextBuilder } from './extracted-text.ts';
import { addNote, type Reading } from './reading.ts';

const maxPathLength = 200;

/**
 * Converts each value to one line with its path, in the order and with the numbers of the source. An object and an array
 * are records.
 * @throws DocumentFailure
 */
export function jsonText(text: string, reading: Reading): ExtractedText {
  const json = text.replace(/^\uFEFF/, ' ');
  try {
    JSON.parse(json);
  } catch (error) {
    throw new DocumentFailure('unreadable', { message: faultOf(json, error), cause: error });
  }
  const builder = createTextBuilder('\n');
  addValues(builder, json, reading, (path) => /^[^.[]*(?:\[\d+\])?/.exec(path)?.[0] ?? '', 1);
  return builder.end(reading);
}

/** Does the same for JSON Lines: each line is a record. A line that is not JSON is kept as it is. */
export function jsonLinesText(text: string, reading: Reading): ExtractedText {
  const builder = createTextBuilder('\n');
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  let readCount = 0;
  for (const [i, line] of lines.entries()) {
    if (!line.trim()) continue;
    const place = `line ${i + 1}`;
    try {
      JSON.parse(line);
    } catch {
      addNote(reading, 'lines_unreadable', place);
      builder.add(withoutEmbeddedFiles(line, reading), { place, lines: [i + 1, i + 1] });
      continue;
    }
    readCount++;
    addValues(builder, line, reading, () => place, i + 1);
  }
  if (readCount === 0 && reading.notes.some(({ code }) => code === 'lines_unreadable'))
    throw new DocumentFailure('unreadable', {
      message: 'No line of the file is valid JSON. Each line must be one value.',
    });
  return builder.end(reading);
}

/** Explains where the text stops being JSON. */
function faultOf(json: string, error: unknown): string {
  const detail = error instanceof Error ? error.message : '';
  const at = Number(/position (\d+)/.exec(detail)?.[1] ?? json.length);
  const before = json.slice(0, at).split('\n');
  const where = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  return `The file is not valid JSON from ${where}. Correct it and upload it again. A file with one value a line must be named .jsonl.`;
}

interface Container {
  path: string;
  /** Index of the next member; null for an object. */
  index: number | null;
}

/**
 * Adds the values of valid JSON. Reads the source and not the parsed value, which has lost digits of numbers, repeated
 * keys and the order of keys that are numbers. Has no recursion, because JSON may be nested deeper than the call stack.
 */
function addValues(
  builder: TextBuilder,
  json: string,
  reading: Reading,
  placeOf: (path: string) => string,
  firstLine: number,
): void {
  const stack: Container[] = [];
  let line = firstLine;
  let key: string | null = null;
  const pathOfNext = (): string => {
    const parent = stack.at(-1);
    if (!parent) return '';
    if (parent.index !== null) return shorten(`${parent.path}[${parent.index++}]`);
    return shorten(parent.path ? `${parent.path}.${key}` : (key ?? ''));
  };
  const add = (value: string): void => {
    const path = pathOfNext();
    const shown = withoutEmbeddedFiles(value, reading);
    if (shown.trim()) builder.add(path ? `${path}: ${shown}` : shown, { place: placeOf(path), lines: [line, line] });
    key = null;
  };
  for (let i = 0; i < json.length; i++) {
    switch (json[i]) {
      case '\n':
        line++;
        break;
      case ' ':
      case '\t':
      case '\r':
      case ',':
      case ':':
        break;
      case '{':
      case '[':
        stack.push({ path: pathOfNext(), index: json[i] === '[' ? 0 : null });
        key = null;
        builder.open();
        break;
      case '}':
      case ']':
        stack.pop();
        builder.close();
        break;
      case '"': {
        const end = stringEnd(json, i);
        const value = JSON.parse(json.slice(i, end)) as string;
        i = end - 1;
        if (key === null && stack.at(-1)?.index === null) key = value;
        else add(value);
        break;
      }
      default: {
        literal.lastIndex = i;
        const value = literal.exec(json)?.[0] ?? '';
        i += Math.max(value.length, 1) - 1;
        add(value);
      }
    }
  }
}

const literal = /[-+.\w]+/y;

/** Returns the offset behind the string that begins at `from`. */
function stringEnd(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return json.length;
}

/** Shortens a path from its beginning, because the end is more specific. */
const shorten = (path: string): string => (path.length <= maxPathLength ? path : `…${path.slice(1 - maxPathLength)}`);

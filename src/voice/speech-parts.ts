import { segmentsBy } from './segments.ts';

/**
 * Splits a text into parts of at most `maxWeight`, between sentences where possible, otherwise between words or
 * characters. No part is blank.
 */
export function splitIntoParts(text: string, maxWeight: number): string[] {
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  for (const piece of piecesOf(text, maxWeight)) {
    const added = weightOf(piece);
    if (weight + added > maxWeight && part) {
      parts.push(part);
      part = '';
      weight = 0;
    }
    part += piece;
    weight += added;
  }
  return [...parts, part].map((each) => each.trim()).filter(Boolean);
}

/**
 * Weighs a text against a provider's limits of characters and tokens. A Latin character weighs 1 and any other 2,
 * because other scripts need up to one token per character.
 */
function weightOf(text: string): number {
  let weight = 0;
  for (const character of text) weight += (character.codePointAt(0) ?? 0) < 0x250 ? 1 : 2;
  return weight;
}

// Unicode's rules end no sentence before a lowercase letter, but some texts start all sentences in lowercase.
const latinEnd = /(?<=[.!?…][\p{Pe}\p{Pf}"']{0,4}\s{1,20})(?=\S)/u;
const cjkEnd = /(?<=[。！？][\p{Pe}\p{Pf}"']{0,4}\s{0,20})(?=[^\s\p{Pe}\p{Pf}"'])/u;
const atPunctuation = (text: string): string[] => text.split(latinEnd).flatMap((piece) => piece.split(cjkEnd));

/** Ways to split a text, in order of preference. */
const levels = [segmentsBy('sentence'), atPunctuation, segmentsBy('word'), segmentsBy('grapheme')];

/** Splits a text into sentences. Sentences above `maxWeight` are split further at the next level. */
function piecesOf(text: string, maxWeight: number, level = 0): string[] {
  const pieces = levels[level]?.(text) ?? [text];
  if (level === levels.length - 1) return pieces;
  return pieces.flatMap((piece) => (weightOf(piece) <= maxWeight ? [piece] : piecesOf(piece, maxWeight, level + 1)));
}

import { segmentsBy } from './segments.ts';

/** Splits a text into parts of at most `maxWeight`: between sentences where possible, else between words. No part is blank. */
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
 * Weighs a text against a provider's limit, which is one of characters and one of tokens: a Latin character weighs one,
 * any other two, because other scripts have up to a token a character.
 */
function weightOf(text: string): number {
  let weight = 0;
  for (const character of text) weight += (character.codePointAt(0) ?? 0) < 0x250 ? 1 : 2;
  return weight;
}

// Unicode starts no sentence at a lower-case letter, but a text may begin all its sentences with one.
const latinEnd = /(?<=[.!?…][\p{Pe}\p{Pf}"']{0,4}\s{1,20})(?=\S)/u;
const cjkEnd = /(?<=[。！？][\p{Pe}\p{Pf}"']{0,4}\s{0,20})(?=[^\s\p{Pe}\p{Pf}"'])/u;
const atPunctuation = (text: string): string[] => text.split(latinEnd).flatMap((piece) => piece.split(cjkEnd));

/** From the best way of splitting to the worst. */
const levels = [segmentsBy('sentence'), atPunctuation, segmentsBy('word'), segmentsBy('grapheme')];

/** Splits a text into sentences, and those that are too heavy at the next level. */
function piecesOf(text: string, maxWeight: number, level = 0): string[] {
  const pieces = levels[level]?.(text) ?? [text];
  if (level === levels.length - 1) return pieces;
  return pieces.flatMap((piece) => (weightOf(piece) <= maxWeight ? [piece] : piecesOf(piece, maxWeight, level + 1)));
}

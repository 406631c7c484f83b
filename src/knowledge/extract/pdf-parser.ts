import { registerHooks } from 'node:module';
import type * as pdfParser from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A piece of text on a page, or the beginning or end of marked content. */
export interface TextItem {
  /** Absent for pieces of text. */
  type?: string;
  /** Text that replaces the marked content that begins here. */
  actualText?: string | null;
  /** Text as drawn from left to right. */
  str?: string;
  /** The texts of its glyphs without spaces, each in reading order. */
  glyphs?: readonly string[];
  /** Left and right edge of each glyph, in points. */
  edges?: readonly number[];
  hasEOL?: boolean;
  transform?: readonly number[];
  width?: number;
  height?: number;
}

/**
 * Changes of the parser's worker, which returns less than extraction needs. It has no positions of letters, and reorders
 * those written from right to left by characters, which turns ligatures around; it ignores `ActualText` and joiners; and it
 * repeats letters that are drawn twice to look bold.
 */
const changes: readonly [what: string, from: string, to: string][] = [
  [
    'order of letters',
    'const bidiResult = bidi(text, -1, textChunk.vertical);',
    `const bidiResult = { str: text, dir: "ltr", glyphs: textChunk.glyphs, edges: textChunk.edges };
      textChunk.glyphs = textChunk.edges = undefined;`,
  ],
  [
    'order of letters',
    'str: bidiResult.str,',
    'str: bidiResult.str, glyphs: bidiResult.glyphs, edges: bidiResult.edges,',
  ],
  [
    'positions of letters',
    'const textChunk = ensureTextContentItem();',
    'const textChunk = ensureTextContentItem(); const left = getCurrentTextTransform()[4];',
  ],
  [
    'positions of letters',
    'textChunk.str.push(glyphUnicode);',
    `textChunk.str.push(glyphUnicode);
          (textChunk.glyphs ??= []).push(glyphUnicode);
          (textChunk.edges ??= []).push(left, getCurrentTextTransform()[4]);`,
  ],
  [
    'ActualText',
    'id: Number.isInteger(mcid) ?',
    `actualText: (() => {
      const properties = args[1] instanceof Name ? resources.get("Properties")?.get(args[1].name) : args[1];
      const given = properties instanceof Dict ? properties.get("ActualText") : null;
      return typeof given === "string" ? stringToPDFString(given) : null;
    })(),
                id: Number.isInteger(mcid) ?`,
  ],
  [
    'joiners of Persian words',
    'if (category.isInvisibleFormatMark) {',
    String.raw`if (category.isInvisibleFormatMark && !/^[\u200c\u200d]$/.test(glyph.unicode)) {`,
  ],
  [
    'letters drawn twice',
    'const twoLastChars = [" ", " "];',
    `let recent = [];
    const isDrawnAgain = (unicode) => {
      const [a, b, c, d, x, y] = getCurrentTextTransform();
      const distance = 0.12 * Math.min(Math.hypot(a, b), Math.hypot(c, d));
      const isEqual = (glyph) => glyph.unicode === unicode && Math.abs(glyph.x - x) < distance && Math.abs(glyph.y - y) < distance;
      if (recent.some(isEqual)) return true;
      recent = [{ unicode, x, y }, ...recent.slice(0, 1)];
      return false;
    };
    const twoLastChars = [" ", " "];`,
  ],
  [
    'letters drawn twice',
    'if (!category.isZeroWidthDiacritic && !compareWithLastPosition(scaledDim)) {',
    `if (!category.isZeroWidthDiacritic && !font.vertical && isDrawnAgain(glyph.unicode)) {
          textState.translateTextMatrix((scaledDim + charSpacing) * textState.textHScale, 0);
          continue;
        }
        if (!category.isZeroWidthDiacritic && !compareWithLastPosition(scaledDim)) {`,
  ],
];

/** Loads the PDF parser with the changes. @throws Error when a release of the parser no longer has what they change */
export async function loadPdfParser(): Promise<typeof pdfParser> {
  const hooks = registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.endsWith('/pdf.worker.mjs')) return loaded;
      const { source = '' } = loaded;
      return { ...loaded, source: changed(typeof source === 'string' ? source : new TextDecoder().decode(source)) };
    },
  });
  try {
    // The parser imports its worker at the first document; here, it is certain that the changes apply.
    await import('pdfjs-dist/legacy/build/pdf.worker.mjs' as string);
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    hooks.deregister();
  }
}

function changed(source: string): string {
  let text = source;
  for (const [what, from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`the PDF parser has changed: ${what}`);
    text = text.replace(from, () => to);
  }
  return text;
}

/**
 * Characters of scripts that are written without spaces between words, or whose words carry endings without a space:
 * Thai to Khmer, Hangul, kana, Han. Pictures too.
 */
const unspaced = new RegExp(
  String.raw`[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u3098\u309d-\u309f\u30a1-\u30fa\u30fc-\u9fff\ua960-\ua97f\uac00-\ud7ff\u{1f000}-\u{3ffff}]`,
  'u',
);

/** Returns whether a text contains a character of a script that is written without spaces. */
export const hasUnspaced = (text: string): boolean => unspaced.test(text);

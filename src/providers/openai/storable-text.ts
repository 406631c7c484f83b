/**
 * Creates a filter that makes the pieces of a text storable: it removes NUL, which PostgreSQL rejects, and replaces unpaired
 * surrogates by U+FFFD. A surrogate at the end of a piece is held back until the next piece completes the pair.
 */
export function createStorableText(): (piece: string) => string {
  let held = '';
  return (piece) => {
    const text = held + piece;
    held = endsInHalf(text) ? text.slice(-1) : '';
    return (held ? text.slice(0, -1) : text).toWellFormed().replaceAll('\0', '');
  };
}

const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
};

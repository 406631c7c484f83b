/**
 * Makes pieces of a text storable as they come: what PostgreSQL refuses in a text (NUL) is left out, half a character
 * becomes U+FFFD. A character whose halves come in two pieces stays whole, so a half at the end waits for its other one.
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

/** Blanks, marks without a shape of their own, and characters that are invisible: control and format characters, and fillers. */
const invisible = /^[\s\p{Cc}\p{Cf}\p{M}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** Returns whether a text shows nothing to a reader. Linear in its length. */
export const isBlank = (text: string): boolean => invisible.test(text);

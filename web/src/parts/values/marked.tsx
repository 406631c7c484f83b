import type { ReactNode } from 'react';

/** Marks each match of a pattern whose only group is the whole match. */
export const marked = (text: string, pattern: RegExp): ReactNode =>
  // `split` returns the captured matches at odd positions.
  text.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));

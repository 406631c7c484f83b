/** What the page says to the frame. `identity` is a token of the website's server. */
export type ToFrame = { type: 'hello'; identity?: string | undefined } | { type: 'open' } | { type: 'close' };

/** What the frame says to the page. */
export type FromFrame =
  | { type: 'ready'; position: string; color: string; onColor: string; label: string }
  | { type: 'close' };

/** Messages from the page to the frame. `identity` is a token issued by the website's server. */
export type ToFrame = { type: 'hello'; identity?: string | undefined } | { type: 'open' } | { type: 'close' };

/** Messages from the frame to the page. */
export type FromFrame =
  | { type: 'ready'; position: string; color: string; onColor: string; label: string }
  | { type: 'close' };

/** Removes what a model thinks before it replies. */
export interface ThinkingFilter {
  /** Returns the part of the reply that is certain so far. */
  write(piece: string): string;
  /** Returns the text that was held back. Called at the end of the reply. */
  end(): string;
  /** Whether anything was removed. */
  readonly hasThought: boolean;
}

/** Tags around the thoughts of models whose provider does not separate them from the reply, in lower case. */
const tags: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
];

/** Leading blanks beyond this length are passed on, so that a model that writes only blanks does not fill the memory. */
const maxHeld = 10_000;

/**
 * Creates a filter that removes thoughts in tags at the start of a reply, with the blanks after them. Tags after the
 * first word of the reply are text. Thoughts without an end leave no reply.
 */
export function createThinkingFilter(): ThinkingFilter {
  let state: 'start' | 'thinking' | 'reply' = 'start';
  let held = '';
  let close = '';
  let hasThought = false;

  function take(): string {
    for (;;) {
      if (state === 'thinking') {
        const end = held.toLowerCase().indexOf(close);
        if (end < 0) {
          // The rest may be the beginning of the closing tag.
          held = held.slice(1 - close.length);
          return '';
        }
        held = held.slice(end + close.length).trimStart();
        state = 'start';
      }
      const start = held.trimStart().toLowerCase();
      const tag = tags.find(([open]) => start.startsWith(open));
      if (tag) {
        [, close] = tag;
        held = held.trimStart().slice(tag[0].length);
        state = 'thinking';
        hasThought = true;
        continue;
      }
      if (held.length <= maxHeld && tags.some(([open]) => open.startsWith(start))) return '';
      state = 'reply';
      return release();
    }
  }

  function release(): string {
    const text = hasThought ? held.trimStart() : held;
    held = '';
    return text;
  }

  return {
    write(piece) {
      if (state === 'reply') return piece;
      held += piece;
      return take();
    },
    end: () => (state === 'start' ? release() : ''),
    get hasThought() {
      return hasThought;
    },
  };
}

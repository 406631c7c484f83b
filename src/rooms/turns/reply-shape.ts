import type { ReplyShape } from '../../conversations/replies/stream-reply.ts';
import { speakerName } from './speaker-names.ts';

export interface RoomReplyShape extends ReplyShape {
  /** Sets the names of the other speakers, at whose tag the reply ends. */
  endAt(names: readonly string[]): void;
}

/**
 * Creates a filter for the reply of one speaker. It removes the speaker's own name tag at the beginning, and ends the
 * reply at the first line that begins with another speaker's tag, because the model would continue the conversation for
 * them.
 */
export function createReplyShape(ownName: string): RoomReplyShape {
  const own = tagOf(ownName);
  let others: readonly string[] = [];
  /** The beginning of a line that may become a tag. */
  let held = '';
  let isLineStart = true;
  let isFirst = true;
  let isOver = false;

  function take(atEnd: boolean): string {
    let kept = '';
    while (held !== '' && !isOver) {
      if (isLineStart) {
        const folded = held.toLowerCase();
        const tags = isFirst ? [own, ...others] : others;
        const match = tags.find((tag) => folded.startsWith(tag));
        if (match === own && isFirst) held = held.slice(own.length).replace(/^ /, '');
        else if (match !== undefined) isOver = true;
        else if (!atEnd && tags.some((tag) => tag.startsWith(folded))) return kept;
        isFirst = false;
        isLineStart = false;
        continue;
      }
      const end = held.indexOf('\n') + 1;
      kept += end > 0 ? held.slice(0, end) : held;
      held = end > 0 ? held.slice(end) : '';
      isLineStart = end > 0;
    }
    return kept;
  }

  return {
    endAt: (names) => {
      others = names.map(tagOf).filter((tag) => tag !== own);
    },
    write: (text) => {
      held += text;
      return take(false);
    },
    end: () => take(true),
    get isOver() {
      return isOver;
    },
  };
}

const tagOf = (name: string): string => `${speakerName(name).toLowerCase()}:`;

import { nameSkeleton } from '../../core/text/look-alikes.ts';

const maxLength = 60;

/** Returns a name for a prompt: one line, without characters that end a tag or resemble a fence. */
export const speakerName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}:]+/gu, ' ')
    .replace(/={3,}/g, '=')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed() || 'someone';

interface Speaker {
  id: string;
  name: string;
}

/**
 * Returns the names of speakers in a prompt, by id. Names that look alike get a number, so that no speaker can
 * impersonate another.
 */
export function nameSpeakers(speakers: readonly Speaker[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const { id, name } of speakers) {
    if (names.has(id)) continue;
    const shown = speakerName(name);
    const skeleton = nameSkeleton(shown);
    const count = (taken.get(skeleton) ?? 0) + 1;
    taken.set(skeleton, count);
    names.set(id, count === 1 ? shown : `${shown} (${count})`);
  }
  return names;
}

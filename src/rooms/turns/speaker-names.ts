const maxLength = 60;

/** A name as a prompt shows it: one line, without what ends a tag or looks like a fence. */
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
 * The names of speakers in a prompt, by id. Two names that look alike get numbers, so that no speaker passes for
 * another one.
 */
export function nameSpeakers(speakers: readonly Speaker[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const { id, name } of speakers) {
    if (names.has(id)) continue;
    const shown = speakerName(name);
    const look = lookOf(shown);
    const count = (taken.get(look) ?? 0) + 1;
    taken.set(look, count);
    names.set(id, count === 1 ? shown : `${shown} (${count})`);
  }
  return names;
}

/** Letters that look like Latin ones in most fonts. */
const alike: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  ɡ: 'g',
  ӏ: 'l',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ı: 'i',
  '0': 'o',
  '1': 'l',
  '|': 'l',
};

/** The same for names that a person can take for each other. */
const lookOf = (name: string): string =>
  [...name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((letter) => alike[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');

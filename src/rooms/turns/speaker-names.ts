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
 * Returns the names of speakers in a prompt, by id. Names that skeleton alike get a number, so that no speaker can
 * impersonate another.
 */
export function nameSpeakers(speakers: readonly Speaker[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const { id, name } of speakers) {
    if (names.has(id)) continue;
    const shown = speakerName(name);
    const skeleton = skeletonOf(shown);
    const count = (taken.get(skeleton) ?? 0) + 1;
    taken.set(skeleton, count);
    names.set(id, count === 1 ? shown : `${shown} (${count})`);
  }
  return names;
}

/** Letters of other scripts that skeleton like Latin ones in most fonts. */
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

/** Returns a form that is equal for names that people can confuse. */
const skeletonOf = (name: string): string =>
  [...name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((letter) => alike[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');

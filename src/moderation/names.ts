/** Letters of other scripts, and digits, that look like a Latin letter in common typefaces. */
const similarSigns: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  ё: 'e',
  з: '3',
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
  ї: 'i',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  һ: 'h',
  ӏ: 'l',
  ɡ: 'g',
  α: 'a',
  β: 'b',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  γ: 'y',
  ω: 'w',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '|': 'l',
  $: 's',
  '@': 'a',
};

/**
 * Returns a form in which names that look alike are equal: without case, accents, spaces and punctuation, and with
 * similar characters replaced by Latin letters.
 */
const nameSkeleton = (name: string): string =>
  [...name.normalize('NFKC').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((sign) => similarSigns[sign] ?? sign)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('i', 'l');

/** Returns whether a name could be mistaken for one of the protected names. */
export function isConfusable(name: string, protectedNames: readonly string[]): boolean {
  const skeleton = nameSkeleton(name);
  return protectedNames.some((other) => nameSkeleton(other) === skeleton);
}

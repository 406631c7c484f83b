/**
 * Returns the ISO 639-1 code of a language given as a code (`en`, `en-US`, `eng`) or as an English name (`english`), or
 * null if it is unknown. Languages without a two-letter code keep their longer code.
 */
export function languageCode(named: string): string | null {
  const name = named.trim().toLowerCase();
  return byName().get(name) ?? codeIn(name.replaceAll('_', '-'));
}

/** Returns whether a code is a lowercase ISO 639-1 code. */
export const isLanguageCode = (code: string): boolean => codes.split(' ').includes(code);

/** Detects the language of a text, or returns null if the text is too short to be certain. */
export async function languageOfText(text: string): Promise<string | null> {
  const { detectAll } = await import('tinyld');
  const [likeliest] = detectAll(text.slice(0, 2_000), { only: widelySpoken });
  const isCertain =
    text.length >= certainLength || (likeliest?.accuracy ?? 0) >= 0.5 || /[^\u0000-\u024f\p{P}]/u.test(text);
  return isCertain ? (likeliest?.lang ?? null) : null;
}

/** Minimum length at which Latin letters identify a language. Other scripts identify it at any length. */
const certainLength = 40;

/** Languages to detect. Rarer ones are left out, because short texts resemble many languages. */
const widelySpoken =
  'en zh es hi ar bn pt ru ja de fr ko it tr vi pl uk nl fa sv cs el hu ro da fi no he th id ta te ur'.split(' ');

function codeIn(name: string): string | null {
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(name)) return null;
  try {
    const { language } = new Intl.Locale(name);
    return language === 'und' ? null : (otherCodes[language] ?? language);
  } catch {
    return null;
  }
}

/** Two-letter codes that `Intl.Locale` does not map. */
const otherCodes: Record<string, string> = { fil: 'tl' };

/**
 * All ISO 639-1 codes.
 * @see https://www.loc.gov/standards/iso639-2/php/code_list.php
 */
const codes =
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es ' +
  'et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj ' +
  'kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ' +
  'ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti ' +
  'tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu';

/**
 * Language names that Whisper uses and Intl does not know.
 * @see https://github.com/openai/whisper/blob/main/whisper/tokenizer.py
 */
const aliases: Record<string, string> = {
  cantonese: 'zh',
  castilian: 'es',
  flemish: 'nl',
  haitian: 'ht',
  hawaiian: 'haw',
  letzeburgesch: 'lb',
  mandarin: 'zh',
  moldavian: 'ro',
  moldovan: 'ro',
  myanmar: 'my',
  nynorsk: 'nn',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  valencian: 'ca',
};

let names: Map<string, string> | undefined;

function byName(): Map<string, string> {
  if (names) return names;
  const english = new Intl.DisplayNames('en', { type: 'language' });
  const entries = codes.split(' ').map((code): [string, string] => [(english.of(code) ?? code).toLowerCase(), code]);
  return (names = new Map([...entries, ...Object.entries(aliases)]));
}

/**
 * Words of each language that connect others, by PostgreSQL text search configuration: they tell which language a text
 * is in, and nothing about its subject.
 */
const connectingWords: Readonly<Record<string, string>> = {
  english:
    'the and of to in is that for with are this you not be on as by from or have it was what which when where who how do does can i my we our your much many there',
  german:
    'der die das und nicht ist mit von den dem ein eine für auf sich wird des auch bei oder werden was wer wie wo wann ich mein meine wir gibt es im zu sind hat kann',
  french:
    'le la les des est une pour dans que qui sur avec pas par plus sont au du et vous nous quel quelle quand où comment combien je mon de un ce il on sont à',
  spanish:
    'el la los las que una para con por del está como más pero son sus al se lo y en qué cuál cuándo dónde cómo cuánto cuánta quién mi de un es hay tienen',
  italian:
    'il lo gli che una per con non del della sono di è nel alla come anche più questo ha si cosa quando dove quanto chi il mio un a',
  portuguese:
    'o os as que uma para com não do da em por mais como dos das ao são se no na você qual quando onde quanto quem meu um de é',
  dutch:
    'de het een en van niet is op te dat met voor zijn die aan ook bij worden door wordt naar wat wie waar wanneer hoe ik mijn',
  swedish: 'och att det som en är på för med av den till inte har de ett om kan vid från vad vem var när hur jag min i',
  danish: 'og at det som en er på for med af den til ikke har de et om kan ved fra hvad hvem hvor hvornår hvordan jeg',
  norwegian: 'og at det som en er på for med av den til ikke har de et om kan ved fra hva hvem hvor når hvordan jeg',
  finnish: 'ja on ei se että joka mutta kun niin ovat olla tai myös sekä mikä missä milloin miten kuka paljonko minun',
  hungarian: 'a az és hogy nem is egy van ez meg csak már vagy mint de mi hol mikor hogyan ki mennyi',
  romanian: 'și de la în cu pe este nu sau care pentru din sunt mai ce cine unde când cum cât un o',
  turkish: 've bir bu da de için ile çok daha olan gibi ne kim nerede zaman nasıl kaç kadar mi mı mu mü var değil',
  russian:
    'и в не на что с по как для от это из к за или до у же есть где когда кто сколько какой какая какие мой мы вы я ли можно во',
  greek: 'και το η ο να του της με για από είναι που στο στη την τον δεν τι πού πότε πώς ποιος πόσο',
  arabic: 'في من على إلى هذا هذه التي الذي أن ما هو هي هل كم متى أين كيف عن مع لا أو كان عند و',
  hindi: 'है के की का में से को और पर यह हैं क्या कब कहाँ कैसे कौन कितना कितने कितनी नहीं ही भी एक मैं तक लिए',
};
/** The same words of languages that PostgreSQL does not stem. */
const unstemmed: Readonly<Record<string, string>> = {
  polish: 'i w na nie z do że jest to się od za po ile kiedy gdzie kto co jak czy jaki jaka jakie mój są o dla mi',
  czech: 'a v na je se že to z do s po kde kdy kdo co jak kolik pro jsou',
  ukrainian: 'і в не на що з як для від це до у та є де коли хто скільки який яка',
  hebrew: 'של את על עם זה זו הוא היא לא מה מי איפה מתי איך כמה האם יש אני או כל גם באיזה באיזו אפשר',
};
/** More of them, which are too frequent elsewhere, such as in codes of tables, to tell a language. */
const ambiguousWords: Readonly<Record<string, string>> = { french: 'a ont', spanish: 'a ha', portuguese: 'a tem' };

interface Language {
  name: string;
  words: ReadonlySet<string>;
}
const read = (lists: Readonly<Record<string, string>>): Language[] =>
  Object.entries(lists).map(([name, words]) => ({ name, words: new Set(words.split(' ')) }));
const stemmed = read(connectingWords);
const all = [...stemmed, ...read(unstemmed)];
/** Length of the beginning of a text, in UTF-16 units, by which its language is detected. */
export const sampleLength = 20_000;
const minShare = 0.08;
const minWords = 2;

const wordsOf = (text: string): string[] =>
  text
    .slice(0, sampleLength)
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+/gu) ?? [];

/**
 * Detects the language of a text by the share of connecting words at its beginning. Returns `simple` (no stemming) when
 * no language fits.
 */
export function languageOf(text: string): string {
  const words = wordsOf(text);
  let best = { name: 'simple', count: Math.max(minWords, words.length * minShare) };
  for (const { name, words: connecting } of all) {
    const count = words.filter((word) => connecting.has(word)).length;
    if (count > best.count) best = { name, count };
  }
  return best.name in connectingWords ? best.name : 'simple';
}

/** Whether a short text may be English: it is in Latin script, and has no connecting words or those of English. */
export function mayBeEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
  const language = languageOfQuestion(text)?.name ?? 'english';
  return latin.length * 2 >= letters.length && language === 'english';
}

/** Returns the connecting words of the language of a short text, in lower case. */
export function functionWords(text: string): ReadonlySet<string> {
  const { name = '', words = [] } = languageOfQuestion(text) ?? {};
  return new Set([...words, ...(ambiguousWords[name]?.split(' ') ?? [])]);
}

function languageOfQuestion(text: string): Language | null {
  const words = wordsOf(text);
  let best: { language: Language | null; count: number } = { language: null, count: 0 };
  for (const language of all) {
    const count = words.filter((word) => language.words.has(word)).length;
    if (count > best.count) best = { language, count };
  }
  return best.language;
}

/** Frequent words of each language, by PostgreSQL text search configuration. */
const stopWords: Readonly<Record<string, string>> = {
  english: 'the and of to in is that for with are this you not be on as by from or have it was',
  german: 'der die das und nicht ist mit von den dem ein eine für auf sich wird des auch bei oder werden',
  french: 'le la les des est une pour dans que qui sur avec pas par plus sont au du et vous nous',
  spanish: 'el la los las que una para con por del está como más pero son sus al se lo y en',
  italian: 'il lo gli che una per con non del della sono di è nel alla come anche più questo ha si',
  portuguese: 'o os as que uma para com não do da em por mais como dos das ao são se no na você',
  dutch: 'de het een en van niet is op te dat met voor zijn die aan ook bij worden door wordt naar',
  swedish: 'och att det som en är på för med av den till inte har de ett om kan vid från',
};
const languages = Object.entries(stopWords).map(([name, words]) => ({ name, words: new Set(words.split(' ')) }));
const sampleLength = 20_000;
const minShare = 0.08;
const minWords = 2;

/**
 * Detects the language of a text by the share of frequent words at its beginning. Returns `simple` (no stemming) when
 * no language fits.
 */
export function languageOf(text: string): string {
  const words =
    text
      .slice(0, sampleLength)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  let best = { name: 'simple', count: Math.max(minWords, words.length * minShare) };
  for (const { name, words: common } of languages) {
    const count = words.filter((word) => common.has(word)).length;
    if (count > best.count) best = { name, count };
  }
  return best.name;
}

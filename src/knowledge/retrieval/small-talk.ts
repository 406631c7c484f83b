/** Words of greetings, thanks, praise, and requests about the form of a reply. */
const conversational = new Set(
  [
    'hello hi hey hiya greetings morning afternoon evening goodbye bye thanks thank thx ty please sorry ok okay cool great awesome',
    'perfect nice wonderful amazing excellent brilliant lovely super welcome cheers understood alright repeat rephrase again',
    'hallo moin servus guten morgen abend tschüss danke dankeschön bitte entschuldigung super toll prima perfekt klasse wiederhole',
    'bonjour bonsoir salut merci pardon désolé parfait génial super répète revoir',
    'hola buenos buenas gracias adiós perdón perfecto genial vale repite',
    'ciao buongiorno buonasera grazie prego scusa perfetto ottimo ripeti arrivederci',
    'olá oi bom boa obrigado obrigada desculpa perfeito ótimo repete tchau',
    'hoi goedemorgen goedemiddag goedenavond dank bedankt alsjeblieft sorry geweldig perfect herhaal doei',
    'hej hejsan tack förlåt perfekt toppen upprepa hejdå',
  ]
    .join(' ')
    .split(' '),
);
/** Filler words around small talk. On their own they are not small talk: "And how?" refers to the turn before. */
const filler = new Set(
  [
    'a about all and answer answers are be been can could day did do does for good have having how i in is it just keep let lot me much',
    'my no not now of on one reply sentence sentences short shorter simple so speak say said talk that the there this to today too two',
    "very was well what who will with words would write yes you your you’re you're you’ve i'm i’m it's it’s that's that’s",
    "alles auf bist dir du einem es geht einen es gut heute ich ihnen ist kurz noch mal mir nochmal satz sehr sie tag und vielen wie geht's",
    'bien ça comment es est et je jour journée moi phrase très tu une va vous beaucoup encore',
    'bien como cómo día días eres está estás frase hoy muchas muy noches otra qué tal tardes tú una usted y',
    'bene bravo come frase giorno molto oggi sei stai tu una va mille ancora',
    'bem como dia está muito noite tarde tudo você frase uma outra vez',
    'bent dag een gaat goed het hoe je jij met zin u veel wel nog eens',
    'bra dag du en god hur är mening mår mycket tusen igen',
  ]
    .join(' ')
    .split(' '),
);
const maxWords = 14;

/** Returns whether a message is small talk, which no document can answer, in one of the supported languages. */
export function isSmallTalk(message: string): boolean {
  if (message.length > 200) return false;
  const words = message.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  if (words.length === 0 || words.length > maxWords) return false;
  return (
    words.every((word) => conversational.has(word) || filler.has(word)) &&
    words.some((word) => conversational.has(word))
  );
}

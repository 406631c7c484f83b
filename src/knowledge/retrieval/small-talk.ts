import { normalForm } from '../../core/text/normal-form.ts';

/** Words of greetings, thanks, praise, agreement, and requests about the form of a reply. */
const conversational = [
  'hello hi hey hiya greetings morning afternoon evening goodbye bye thanks thank thx ty please sorry ok okay cool great awesome',
  'perfect nice wonderful amazing excellent brilliant lovely super welcome cheers understood alright repeat rephrase again yes yeah yep',
  'nope sure agreed exactly correct haha hahaha lol wow hmm continue fantastic interesting really helpful helped shorten shorter elaborate',
  'hallo moin servus guten morgen abend tschüss danke dankeschön bitte entschuldigung super toll prima perfekt klasse wiederhole ja nein',
  'weiter verstanden genau alles klar stimmt wirklich kürzer geholfen einverstanden',
  'bonjour bonsoir salut merci pardon désolé parfait génial super répète revoir oui non continue continuez compris accord exactement',
  'vraiment raccourcis hola buenos buenas gracias adiós perdón perfecto genial vale repite sí no sigue continúa entendido claro exacto',
  'acuerdo ciao buongiorno buonasera grazie prego scusa perfetto ottimo ripeti arrivederci sì capito continua esatto davvero',
  'olá oi bom boa obrigado obrigada desculpa perfeito ótimo repete tchau sim não entendi continue certo',
  'hoi goedemorgen goedemiddag goedenavond dank bedankt alsjeblieft sorry geweldig perfect herhaal doei ja nee begrepen precies',
  'hej hejsan tack förlåt perfekt toppen upprepa hejdå ja nej förstår fortsätt',
  'dziękuję dzięki dziekuje proszę przepraszam cześć hej witam dobrze super świetnie tak nie rozumiem jasne kontynuuj dalej okej',
  'oczywiście krócej powtórz',
  'спасибо благодарю пожалуйста привет здравствуйте здравствуй пока хорошо отлично супер класс да нет понятно понял поняла ясно',
  'ладно окей продолжай продолжайте дальше повтори короче конечно точно',
  'teşekkürler teşekkür sağol sağ merhaba selam günaydın tamam harika süper mükemmel evet hayır anladım anlaşıldı devam olur peki',
  'görüşürüz hoşçakal tekrarla kısalt rica',
  'شكرا شكراً مرحبا أهلا اهلا السلام حسنا تمام ممتاز رائع نعم لا فهمت مفهوم تابع استمر أكمل عفوا وداعا طيب أكيد',
  'תודה שלום היי בוקר ערב בסדר מעולה נהדר יופי כן לא הבנתי מובן תמשיך המשך סבבה להתראות ביי סליחה בבקשה',
  'धन्यवाद शुक्रिया नमस्ते नमस्कार ठीक बढ़िया शानदार हाँ हां नहीं समझ अच्छा जारी अलविदा माफ़ कृपया बिल्कुल',
  '감사합니다 감사해요 고마워 고마워요 고맙습니다 안녕 안녕하세요 안녕히 네 예 응 아니요 아니 알겠어요 알겠습니다 이해했어요 이해했습니다',
  '좋아요 좋습니다 훌륭해요 최고예요 계속 계속해 계속해줘 괜찮아요 괜찮습니다 미안해요 죄송합니다 그래요 맞아요',
];
/** Filler words around small talk. On their own they are not small talk: "And how?" refers to the turn before. */
const filler = [
  'a about all and answer answers are be been can could day did do does for good have having how i in into is it its just keep let lot me much',
  'make my no not now of on one reply sentence sentences short so speak simple say said talk that the there this to today too two',
  'very was well what who will with words would write yes you your why your answer’s response job work sounds looks works explanation best mate',
  "you’re you're you’ve i'm i’m it's it’s that's that’s bit",
  "alles auf bist das die der dir du einem es geht einen es gut habe heute hat ich ihnen ist kann kurz noch mal mir nochmal satz sehr sie tag und vielen wie geht's",
  'bien ça comment es est et je jour journée moi phrase très tu une va vous beaucoup encore',
  'bien como cómo de día días eres está estás frase hoy más muchas muy noches otra qué tal tardes tú una usted y',
  'bene bravo come frase giorno molto oggi sei stai tu una va mille ancora',
  'bem como dia está muito noite tarde tudo você frase uma outra vez',
  'bent dag een gaat goed het hoe je jij met zin u veel wel nog eens',
  'bra dag du en god hur är mening mår mycket tusen igen',
  'bardzo w za to i mi się wszystko dzień dobry bardzo jest możesz',
  'большое очень это за так всё все мне и не вам тебе добрый день вечер утро можно',
  've çok ederim et ol bir daha iyi günler hoş bana için bu yazar mısın',
  'جزيلا جدا لك كثيرا هذا على خير مع السلامة يا عليكم وهلا بك و',
  'רבה מאוד לך לי זה טוב את אתה ועוד קצת יותר אפשר',
  'बहुत है हो गया गई रखो रखें और आपका यह जी को',
  '해 줘 주세요 더 정말 너무 잘 고마 계세요 가세요 짧게 줄래 답변',
  '了 吗 呢 的 吧 啊 您 你 我 是 很 太 です ます ね よ た て ください ครับ ค่ะ คะ นะ มาก มากๆ เลย จ้า',
];
/** Expressions of more than one word, and those of languages without spaces. */
const expressions = [
  'got it|i see|go on|go ahead|makes sense|make sense|sounds good|looks good|no problem|never mind|my pleasure|of course|tell me more|say more',
  "what do you mean|who are you|what are you|you are the best|you're the best|you’re the best|good job|great job|well done|that's all|that is all",
  'that helped|that helps|keep it short|in other words|why not|no worries|i agree|i understand|i know|see you|take care|well said|for sure',
  'wie meinst du das|was meinst du|wer bist du|alles klar|geht klar|auf wiedersehen|in ordnung|mach weiter|kein problem|gut gemacht|vielen dank',
  "d'accord|d’accord|ça marche|au revoir|qui es-tu|qu'est-ce que tu veux dire|qu’est-ce que tu veux dire|plus court|s'il te plaît|s’il te plaît|s'il vous plaît|s’il vous plaît|bien joué|pas de problème|très bien|je vois",
  'de acuerdo|hasta luego|hasta pronto|qué quieres decir|quién eres|más corto|puedes hacerlo más corto|por favor|bien hecho|buen trabajo|no hay problema|de nada',
  'va bene|per favore|ho capito|cosa intendi|chi sei|de nada|por favor|até logo|o que você quer dizer|tudo bem|tot ziens|wat bedoel je|tack så mycket',
  'w porządku|do widzenia|nie ma za co|co masz na myśli|kim jesteś|na razie|dobra robota|nie ma problemu|możesz krócej',
  'до свидания|что ты имеешь в виду|что вы имеете в виду|кто ты|не за что|всё понятно|без проблем|молодец|хорошая работа|можно короче|покороче',
  'devam et|ne demek istiyorsun|sen kimsin|rica ederim|çok güzel|aferin|iyi iş|hoşça kal|bir şey değil|daha kısa|sorun değil',
  'شكرا جزيلا|مع السلامة|ماذا تقصد|من أنت|على الرحب والسعة|أحسنت|لا مشكلة|صباح الخير|مساء الخير|هل يمكنك الاختصار|باختصار|السلام عليكم',
  'למה התכוונת|מה הכוונה|מי אתה|אין בעיה|כל הכבוד|בוקר טוב|ערב טוב|יותר קצר|אפשר יותר קצר|אין על מה',
  'आपका क्या मतलब है|तुम्हारा क्या मतलब है|तुम कौन हो|आप कौन हैं|समझ गया|समझ गई|ठीक है|कोई बात नहीं|जारी रखो|जारी रखें|छोटा कर सकते हो|क्या इसे छोटा कर सकते हो|बहुत बढ़िया|फिर मिलेंगे',
  'ขอบคุณ|ขอบใจ|สวัสดี|หวัดดี|โอเค|ตกลง|ใช่|ไม่ใช่|ได้|เข้าใจแล้ว|เข้าใจ|รับทราบ|เยี่ยม|เยี่ยมมาก|ดีมาก|สุดยอด|ลาก่อน|บาย|ต่อเลย|ต่อไป|ทำต่อ|ไม่เป็นไร|หมายความว่าอะไร|หมายความว่ายังไง|คุณคือใคร|ขอสั้นกว่านี้ได้ไหม|สั้นกว่านี้|ขอสั้นๆ|ขอโทษ|เก่งมาก|จริงหรือ|จริงเหรอ',
  '谢谢|多谢|感谢|谢了|你好|您好|嗨|好的|好吧|好|行|可以|是的|对|对的|不是|不用|没错|没事|没问题|明白|知道了|懂了|了解|太好了|太棒了|很棒|真棒|厉害|不错|继续|接着说|再见|拜拜|什么意思|是什么意思|你是谁|短一点|能短一点吗|简短一点|简单点|再说一遍|早上好|晚上好|请|对不起|哈哈|原来如此|真的',
  'ありがとう|ありがとうございます|ありがとうございました|どうも|こんにちは|こんばんは|おはよう|おはようございます|はい|いいえ|うん|ええ|わかりました|分かりました|わかった|了解|了解です|なるほど|素晴らしい|すごい|すばらしい|いいね|さようなら|またね|続けて|続けてください|続き|結構|大丈夫|どういう意味|もっと短く|短くして|もっと短くして|もう一度|あなたは誰|すみません|ごめんなさい|お願いします|本当|よくできました|助かりました',
  '무슨 뜻이에요|무슨 말이에요|누구세요|더 짧게|짧게 해 줄래|다시 말해 줘|문제없어요|안녕히 계세요|안녕히 가세요|좋은 아침|수고하셨습니다|잘했어요|정말요|계속해 줘|더 짧게 해 줄래',
];

const wordsOf = (lists: readonly string[]): Set<string> => new Set(normalForm(lists.join(' ')).split(' '));
const conversationalWords = wordsOf(conversational);
const fillerWords = wordsOf(filler);
const apart = (text: string): string =>
  ` ${normalForm(text)
    .replace(/[^\p{L}\p{M}\p{N}'’]+/gu, ' ')
    .trim()} `;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const expression = new RegExp(
  expressions
    .flatMap((list) => list.split('|'))
    .map((text) => (unspaced.test(text) ? apart(text).trim() : apart(text).replace(/ $/, '(?= )')))
    .toSorted((a, b) => b.length - a.length)
    .join('|'),
  'gu',
);
const maxWords = 14;
const maxLength = 200;

/**
 * Returns whether a message is small talk, which no document can answer: it consists of greetings, thanks, agreement or
 * requests about the form of a reply, in one of many languages, or of emoji alone.
 */
export function isSmallTalk(message: string): boolean {
  if (message.length > maxLength) return false;
  const text = apart(message);
  if (text.trim() === '') return /\p{Extended_Pictographic}/u.test(message);
  const words = text.replace(expression, ' \u0000 ').split(' ').filter(Boolean);
  if (words.length > maxWords) return false;
  const isConversational = (word: string): boolean => word === '\u0000' || conversationalWords.has(word);
  return words.every((word) => isConversational(word) || fillerWords.has(word)) && words.some(isConversational);
}

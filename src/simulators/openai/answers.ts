import { factsOf, nameOf, recall } from './memory.ts';
import { introduce, type Persona } from './persona.ts';
import { bestSentence } from './retrieved.ts';
import { capitalise, hash, keywordsOf, sentencesOf, topicOf } from './words.ts';

export interface Question {
  message: string;
  /** Earlier messages of the person, oldest first. */
  earlier: readonly string[];
  /** Retrieved text; empty when there is none. */
  documents: string;
  /** Summary of turns that are no longer in the prompt. */
  background: string;
  persona: Persona;
  choice: number;
}

/** Returns a reply to a question. Tries the kinds of reply in order; the last kind always applies. */
export function answerTo(question: Question): string {
  return answers.map((answer) => answer(question)).find((text) => text !== null) ?? '';
}

type Answer = (question: Question) => string | null;

const fromMemory: Answer = ({ message, earlier, background }) => {
  const statements = [background, ...earlier];
  if (/\bwhat(?:'s|’s| is| was)? my name\b|\bwho am i\b|\bremember my name\b/i.test(message)) {
    const name = nameOf([...statements, message]);
    return name
      ? `Your name is ${name}. You mentioned it earlier.`
      : "You haven't mentioned your name yet. What should I call you?";
  }
  if (/\b(?:what did i (?:just )?(?:say|ask|write)|my (?:last|previous|first) (?:message|question))\b/i.test(message)) {
    const last = /\bfirst\b/i.test(message) ? earlier[0] : earlier.at(-1);
    return last ? `You wrote: "${clip(last, 300)}"` : 'This is the first thing you have written to me.';
  }
  const fact = recall(message, factsOf(statements));
  return fact ? `You mentioned that ${fact.inSecondPerson}.` : null;
};

const fromDocuments: Answer = ({ message, documents }) => {
  const quote = documents ? bestSentence(message, documents) : null;
  if (!quote) return null;
  const source = quote.source ? ` in *${quote.source}*` : '';
  return `Here is what I found${source}:\n\n> ${quote.sentence}${quote.mark ? ` ${quote.mark}` : ''}\n\nThat is the passage that fits your question best. Ask me if you want to know more about it.`;
};

const operation = String.raw`(-?\d+(?:\.\d+)?)\s*(\+|-|−|\*|×|x|\/|÷|plus|minus|times|divided by)\s*(-?\d+(?:\.\d+)?)`;
const calculation = new RegExp(
  String.raw`(?:^\s*|\b(?:what is|what's|what’s|calculate|compute|how much is)\s+)${operation}\s*[=?.!]*\s*$`,
  'i',
);

const arithmetic: Answer = ({ message }) => {
  const match = calculation.exec(message.slice(-200));
  if (!match) return null;
  const [, left = '', operator = '', right = ''] = match;
  const result = calculate(Number(left), operator.toLowerCase(), Number(right));
  return result === null
    ? 'Dividing by zero has no answer.'
    : `${left} ${operator} ${right} is **${Number(result.toPrecision(12))}**.`;
};

function calculate(a: number, operator: string, b: number): number | null {
  if (operator === '+' || operator === 'plus') return a + b;
  if (operator === '-' || operator === '−' || operator === 'minus') return a - b;
  if (operator === '/' || operator === '÷' || operator === 'divided by') return b === 0 ? null : a / b;
  return a * b;
}

const aboutItself: Answer = ({ message, persona }) =>
  /\bwho are you\b|\bwhat(?:'s|’s| is) your name\b|\bintroduce yourself\b|\bwhat are you\b/i.test(message)
    ? `I'm ${introduce(persona)}. Tell me what you are working on, and we can start from there.`
    : null;

const introduction: Answer = ({ message, earlier }) => {
  const name = nameOf([message]);
  const facts = factsOf([message]);
  if (!name && facts.length === 0) return null;
  const hello = name ? `Nice to meet you, ${name}!` : `Thank you for telling me${address(earlier)}.`;
  return [
    hello,
    facts[0] ? `I will remember that ${facts[0].inSecondPerson}.` : 'I will remember that.',
    'What would you like to do next?',
  ].join(' ');
};

const smallTalk: Answer = ({ message, earlier, choice }) => {
  if (message.length > 60) return null;
  if (/^\s*(?:hi|hello|hey|hallo|hola|bonjour|ciao|good (?:morning|evening|afternoon)|guten tag)\b/i.test(message)) {
    return (
      [`Hello${address(earlier)}! How can I help you today?`, `Hi${address(earlier)}! What is on your mind?`][
        choice % 2
      ] ?? null
    );
  }
  return /\bthank(?:s| you)\b/i.test(message) ? `You're welcome${address(earlier)}! Is there anything else?` : null;
};

const nothingMuch: Answer = ({ message, earlier, choice }) => {
  if (topicOf(message)) return null;
  const listening = [
    `I'm listening${address(earlier)}. What would you like to go into?`,
    'Go on: tell me a little more, so that I can help.',
  ];
  return listening[choice % 2] ?? null;
};

const code: Answer = ({ message }) => {
  if (!/\b(?:code|function|script|snippet|program)\b/i.test(message)) return null;
  const words = keywordsOf(message).filter(
    (word) =>
      /^[a-z]+$/.test(word) && !/^(?:code|function|script|snippet|program|write|typescript|javascript)$/.test(word),
  );
  const name =
    words
      .slice(0, 3)
      .map((word, i) => (i ? capitalise(word) : word))
      .join('') || 'answer';
  return `Here is a small start:\n\n\`\`\`ts\nexport function ${name}(input: string): string {\n  return input.trim();\n}\n\`\`\`\n\nIt only trims its input; replace the body with your own rule and add a test for the empty string.`;
};

const steps: Answer = (question) => {
  if (!/\b(?:how (?:do|can|to|should|would)|steps?|list|ideas?|tips?|ways?|plan|explain)\b/i.test(question.message))
    return null;
  const about = topic(question.message);
  const points = [
    `**Start with the goal.** Write down in one sentence what you want from ${about}.`,
    '**Collect what you have.** Note what is missing, and leave it for later.',
    `**Try ${about} on a small scale.** A first attempt shows more than a long plan.`,
    '**Check the result.** Compare it with the sentence from the first step.',
    '**Repeat.** Change one thing at a time.',
  ].slice(0, 3 + (question.choice % 3));
  return `${lead(question)}\n\n${points.map((point, i) => `${i + 1}. ${point}`).join('\n')}\n\nWhich of these would you like to go through in detail?`;
};

const general: Answer = (question) => {
  const about = topic(question.message);
  const closing = [
    `What matters most to you about ${about}?`,
    'Shall I go into one part of it?',
    `If you tell me more about ${about}, I can be more exact.`,
    'Does that help?',
  ];
  const middle = [
    `There are usually two sides to ${about}: what it is for, and what it costs you.`,
    `The best place to begin with ${about} is the part that you can change today.`,
    `People often see ${about} as one question, but it is easier to take it apart.`,
    `A good rule for ${about} is to keep what works and to question the rest.`,
  ];
  const { choice } = question;
  const sentences = [lead(question), middle[choice % 4], middle[(choice + 1 + ((choice >>> 4) % 3)) % 4]].slice(
    0,
    2 + ((choice >>> 8) % 2),
  );
  return `${sentences.join(' ')} ${closing[(choice >>> 2) % 4]}`;
};

const answers: readonly Answer[] = [
  fromMemory,
  fromDocuments,
  arithmetic,
  aboutItself,
  introduction,
  smallTalk,
  code,
  steps,
  nothingMuch,
  general,
];

/** Returns a first sentence that refers to the message and the one before it. */
function lead({ message, earlier, choice }: Question): string {
  const said = `"${clip(sentencesOf(message)[0] ?? message, 120)}"`;
  const before = topicOf(earlier.findLast((text) => topicOf(text) && factsOf([text]).length === 0) ?? '');
  const link =
    before && before !== topicOf(message) ? ` Earlier you asked about ${before}, and the two may be connected.` : '';
  const openings = [`You wrote ${said}`, `You bring up ${topic(message)}`, `Let us look at ${topic(message)}`];
  return `${openings[hash(said, choice) % 3]}${address(earlier)}.${link}`;
}

const address = (earlier: readonly string[]): string => {
  const name = nameOf(earlier);
  return name ? `, ${name}` : '';
};

const topic = (message: string): string => topicOf(message) ?? 'that';

const clip = (text: string, length: number): string =>
  text.length <= length ? text.trim() : `${text.slice(0, length).replace(/\s+\S*$/, '')} …`;

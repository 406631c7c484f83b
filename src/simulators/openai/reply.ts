import { answerTo } from './answers.ts';
import { type ChatMessage, lastUserText, systemText, textOf } from './messages.ts';
import { nameOf } from './memory.ts';
import { inVoice, introduce, readPersona } from './persona.ts';
import { fencedBlocks, outsideFences } from './retrieved.ts';
import { capitalise, hash, keywordsOf, sentencesOf } from './words.ts';

export type Task = 'reply' | 'title' | 'greeting' | 'summary';

const verbs = '(?:write|give|suggest|generate|create|make|compose|say)';
const tasks: readonly [Task, RegExp][] = [
  ['title', new RegExp(String.raw`\b${verbs}\b[^.\n]{0,60}\btitle\b`, 'i')],
  ['greeting', new RegExp(String.raw`\b${verbs}\b[^.\n]{0,60}\bgreeting\b|\bgreet (?:me|the (?:user|person))\b`, 'i')],
  ['summary', /\bsummari[sz]e (?:the|this|our) conversation\b|\bsummary of (?:the|this|our) conversation\b/i],
];

/** Returns the task of the last user message, or of instructions whose first sentence states it. */
export function taskOf(messages: readonly ChatMessage[]): Task {
  const order = outsideFences(lastUserText(messages)).slice(0, 1_000);
  const system = outsideFences(systemText(messages));
  const instruction = /^(?:write|give|suggest|generate|create|summari[sz]e|greet)\b/i.test(system)
    ? (sentencesOf(system)[0] ?? '')
    : '';
  return tasks.find(([, pattern]) => pattern.test(order) || pattern.test(instruction))?.[0] ?? 'reply';
}

/**
 * Generates a plausible reply from the prompt alone: the persona of the instructions, the conversation, and the retrieved
 * text. Deterministic, except for the random keys of fences.
 */
export function composeReply(messages: readonly ChatMessage[]): string {
  const task = taskOf(messages);
  const system = systemText(messages);
  const instructions = outsideFences(system);
  const persona = readPersona(instructions);
  const choice = hash(messages.map((message) => `${message.role}:${unkeyed(textOf(message))}`).join('\n'));
  if (task === 'title') return title(messages);
  if (task === 'summary') return summary(messages);
  if (task === 'greeting') return inVoice({ ...persona, isBrief: false }, greeting(introduce(persona), choice), choice);
  const answer = answerTo({
    message: lastUserText(messages),
    earlier: messages
      .filter(({ role }) => role === 'user')
      .slice(0, -1)
      .map(textOf),
    documents: blocks(system, 'documents'),
    background: blocks(system, 'summary'),
    persona,
    choice,
  });
  return inVoice(persona, answer, choice);
}

const unkeyed = (text: string): string => text.replace(/^(=== (?:begin|end) \w+) [0-9a-f]{32} ===$/gm, '$1');

const blocks = (text: string, label: string): string =>
  fencedBlocks(text)
    .filter((block) => block.label === label)
    .map((block) => block.content)
    .join('\n');

const greeting = (who: string, choice: number): string =>
  [
    `Hello, I'm ${who}. What can I do for you today?`,
    `Hi there! I'm ${who}. What would you like to talk about?`,
    `Welcome! ${capitalise(who)} at your service. Where shall we begin?`,
  ][choice % 3] ?? '';

interface Turn {
  role: string;
  text: string;
}

/** Returns the turns to give a title or to summarize: a fenced transcript, or the conversation itself. */
function transcript(messages: readonly ChatMessage[]): Turn[] {
  const fenced = messages.map((message) => blocks(textOf(message), 'conversation')).join('\n');
  if (!fenced.trim()) {
    const turns = messages
      .filter(({ role }) => role !== 'system')
      .map((message) => ({ role: message.role, text: textOf(message) }));
    return turns.length > 1 ? turns.slice(0, -1) : turns;
  }
  return fenced
    .split(/^(?=(?:user|assistant): )/m)
    .filter((turn) => turn.trim())
    .map((turn) => {
      const [, role = 'user', text = turn] = /^(user|assistant): ([\s\S]*)$/.exec(turn) ?? [];
      return { role, text: text.trim() };
    });
}

function title(messages: readonly ChatMessage[]): string {
  const turns = transcript(messages);
  const asked = turns.find(({ role }) => role === 'user')?.text ?? turns[0]?.text ?? '';
  const words = keywordsOf(asked.replace(/\[\[[^\]]*\]\]/g, '').slice(0, 1_000)).filter(
    (word) => !['title', 'write', 'short'].includes(word),
  );
  return words.length === 0 ? 'A first conversation' : words.slice(0, 5).map(capitalise).join(' ').slice(0, 78);
}

function summary(messages: readonly ChatMessage[]): string {
  const turns = transcript(messages);
  const earlier = messages
    .flatMap((message) => blocks(textOf(message), 'summary').split('\n'))
    .filter((line) => line.trim());
  const said = turns.filter(({ role }) => role === 'user').map(({ text }) => text);
  const who = nameOf(said) ?? 'The user';
  const last = turns.findLast(({ role }) => role === 'assistant');
  const points = [
    ...earlier.slice(0, 12),
    ...said.slice(0, 12).map((text) => `- ${who} said: ${clip(text.replace(/\s+/g, ' '), 200)}`),
    ...(last ? [`- Last answer: ${clip(sentencesOf(last.text)[0] ?? last.text, 160)}`] : []),
  ];
  return points.join('\n') || '- Nothing was said yet.';
}

const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, '')} …`;

import { createFence, fenceNotice } from './fence.ts';
import type { ChatTurn } from './language-model.ports.ts';

/** Largest length of each turn in the transcript, in UTF-16 code units, so that the prompt stays small. */
const excerptLength = 2_000;

/** Returns the prompt for the title of a conversation, from its first exchange. */
export const titlePrompt = (turns: readonly ChatTurn[]): ChatTurn[] => [
  {
    role: 'system',
    content: `Write a title for the conversation that the user shows you: at most six words and 80 characters, in the language of the conversation, without quotation marks or a full stop. Answer with the title alone.\n\n${fenceNotice}`,
  },
  { role: 'user', content: transcript(turns) },
];

/** Returns the prompt for the greeting of an agent. */
export const greetingPrompt = (instructions: string): ChatTurn[] => [
  { role: 'system', content: instructions },
  {
    role: 'user',
    content:
      'Write a greeting for someone who has just opened a conversation with you: one or two sentences, in character. Answer with the greeting alone.',
  },
];

/** Returns the prompt for a summary of turns that no longer fit, which includes the earlier summary. */
export const summaryPrompt = (turns: readonly ChatTurn[], earlier: string | null): ChatTurn[] => [
  {
    role: 'system',
    content: `Summarise the conversation that the user shows you in at most 150 words. Keep names, facts, numbers, decisions and open questions; leave out courtesies.\n\n${fenceNotice}`,
  },
  { role: 'user', content: (earlier ? `${createFence()('summary', earlier)}\n\n` : '') + transcript(turns) },
];

const transcript = (turns: readonly ChatTurn[]): string =>
  createFence()('conversation', turns.map(({ role, content }) => `${role}: ${excerpt(content)}`).join('\n'));

const excerpt = (content: string): string =>
  content.length <= excerptLength ? content : `${content.slice(0, excerptLength).toWellFormed()} …`;

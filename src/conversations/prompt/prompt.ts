import { AppError } from '../../core/errors.ts';
import type { ModelProfile } from '../../agents/models.ts';
import { countTokens, tokenUpperBound } from '../../core/tokens.ts';
import { sourceMark, withoutMarks } from '../../knowledge/retrieval/citations.ts';
import { createFence, fenceNotice, type Fence } from './fence.ts';
import type { ChatTurn } from './language-model.ports.ts';

/** A passage of a document that is relevant to the message. */
export interface Passage {
  /** File name, so that the model can cite its source. */
  source: string;
  content: string;
}

export interface PromptParts {
  instructions: string;
  /** Summary of the turns before `history`. */
  summary?: string | null | undefined;
  /** Most relevant passage first. */
  retrieved?: readonly Passage[] | undefined;
  /** Newest turn last. */
  history: readonly ChatTurn[];
  message: string;
  model: ModelProfile;
}

/** Tokens that a provider adds for each turn, and before the reply. */
const turnTokens = 4;
const replyTokens = 3;

/**
 * Builds a prompt that leaves enough of the model's context for the reply. It always contains the instructions and the
 * message, then as many passages as fit into half of the rest, the summary, and the newest turns without a gap.
 * @throws AppError `context_length_exceeded` when instructions and message alone do not fit
 */
export const buildPrompt = (parts: PromptParts): ChatTurn[] => packPrompt(parts).turns;

/** Builds a prompt like `buildPrompt`, and returns how many of the most relevant passages it contains. */
export function packPrompt(parts: PromptParts): { turns: ChatTurn[]; passages: number } {
  const fence = createFence();
  // Counting tokens takes CPU time and matters only near the limit, so the first attempt uses a cheap upper bound.
  const generous = fit(parts, tokenUpperBound, fence);
  return generous?.isComplete ? generous : (fit(parts, countTokens, fence) ?? tooLong());
}

/** Returns the number of context tokens that a prompt uses, including those that the provider adds. */
export const promptTokens = (turns: readonly ChatTurn[], count: (text: string) => number = countTokens): number =>
  turns.reduce((sum, turn) => sum + turnTokens + count(turn.content), replyTokens);

/** Returns null when instructions and message alone do not fit. `isComplete`: nothing was left out. */
function fit(
  parts: PromptParts,
  count: (text: string) => number,
  fence: Fence,
): { turns: ChatTurn[]; passages: number; isComplete: boolean } | null {
  const { instructions, history, message, model } = parts;
  const cost = (content: string): number => turnTokens + count(content);
  const budget = model.contextTokens - model.maxOutputTokens - replyTokens - cost(message);
  const required = cost(instructions);
  if (required > budget) return null;

  const passages = [...(parts.retrieved ?? [])];
  let summary = parts.summary || null;
  const maxForSystem = required + Math.floor((budget - required) / 2);
  let system = systemTurn(instructions, summary, passages, fence);
  let systemCost = cost(system);
  while (systemCost > maxForSystem && (passages.length > 0 || summary)) {
    if (passages.pop() === undefined) summary = null;
    system = systemTurn(instructions, summary, passages, fence);
    systemCost = cost(system);
  }

  let left = budget - systemCost;
  let first = history.length;
  while (first > 0) {
    const older = cost(history[first - 1]?.content ?? '');
    if (older > left) break;
    left -= older;
    first -= 1;
  }
  return {
    turns: [{ role: 'system', content: system }, ...history.slice(first), { role: 'user', content: message }],
    passages: passages.length,
    isComplete:
      first === 0 && passages.length === (parts.retrieved?.length ?? 0) && summary === (parts.summary || null),
  };
}

/**
 * Returns a single system turn, because some providers accept only one. Parts that change with each message come last.
 */
function systemTurn(instructions: string, summary: string | null, passages: readonly Passage[], fence: Fence): string {
  if (!summary && passages.length === 0) return instructions;
  const documents = passages
    .map(({ source, content }) => withoutMarks(`${source.replace(/\s+/g, ' ')}\n${content}`))
    .map((passage, i) => `${sourceMark(i + 1)} ${passage}`)
    .join('\n\n');
  return [
    instructions,
    fenceNotice,
    ...(summary ? [`What was said earlier in this conversation:\n${fence('summary', summary)}`] : []),
    ...(passages.length > 0
      ? [
          `Passages from your documents that may answer the message. Prefer them to what you remember, and say so when they do not answer it. End each sentence that you take from one with its mark, such as ${sourceMark(1)}:\n${fence('documents', documents)}`,
        ]
      : []),
  ].join('\n\n');
}

function tooLong(): never {
  throw new AppError('context_length_exceeded');
}

import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { isBlank } from '../../core/is-blank.ts';
import type { ReplyPrompt } from '../prompt/prepare-prompt.ts';
import type { ReplySources } from '../prompt/reply-sources.ts';
import type { TokenUsage } from './generation-events.ts';
import type { LiveGenerationWriter } from './live-generation.ts';

export interface ReplyEnding {
  usage: TokenUsage | null;
  /** Whether the reply ended at a length limit. */
  truncated: boolean;
}

/** Decides which text of a reply is kept while it is being written. */
export interface ReplyShape {
  /** Returns the text to keep, as far as it can be decided from what was written so far. */
  write(text: string): string;
  /** Returns the text that was held back. Called at the end of the reply. */
  end(): string;
  /** Whether no further text of the reply is kept. */
  readonly isOver: boolean;
}

/** Returns the last piece of a reply after its shape was applied. */
export const shaped = (text: string, shape: ReplyShape | undefined): string =>
  shape ? shape.write(text) + shape.end() : text;

/**
 * Streams a reply from the model into the live generation, up to the length limit of the service.
 * @throws AppError what the model throws, `upstream_error` for an empty reply; the signal's reason after an abort
 */
export async function streamReply(
  ctx: Ctx,
  { model, turns, given }: ReplyPrompt,
  live: Pick<LiveGenerationWriter, 'text' | 'signal' | 'append'>,
  sources: ReplySources,
  shape?: ReplyShape,
): Promise<ReplyEnding> {
  sources.give(given);
  const request = { model: ctx.config.models[model], turns, signal: live.signal };
  const append = (text: string): void => {
    const capacity = ctx.config.maxReplyCharacters - live.text.length;
    live.append(text.length > capacity ? cut(text, capacity) : text);
    if (text.length > capacity) throw new ReplyLimitReached();
  };
  const write = (text: string): void => {
    append(shape ? shape.write(text) : text);
    if (shape?.isOver) throw new ReplyShapeEnded();
  };
  try {
    const { reason, usage } = await ctx.ports.languageModel.stream(request, (content) => write(sources.write(content)));
    append(shaped(sources.end(), shape));
    if (isBlank(live.text)) throw new AppError('upstream_error', { message: emptyReply });
    return { usage, truncated: reason === 'length' };
  } catch (error) {
    if (error instanceof ReplyShapeEnded && !isBlank(live.text)) return { usage: null, truncated: false };
    if (error instanceof ReplyShapeEnded) throw new AppError('upstream_error', { message: emptyReply });
    if (error instanceof ReplyLimitReached) return { usage: null, truncated: true };
    throw error;
  }
}

const emptyReply = 'The model returned an empty reply. Try again.';

/** Thrown to end the provider's stream when the shape of the reply is complete. */
class ReplyShapeEnded extends Error {}

/** Thrown to end the provider's stream when the reply exceeds the length limit. */
class ReplyLimitReached extends Error {}

/** Returns the first `length` UTF-16 code units of a text, without a split surrogate pair at the end. */
const cut = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length);

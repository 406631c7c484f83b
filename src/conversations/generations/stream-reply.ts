import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { ReplyPrompt } from '../prompt/prepare-prompt.ts';
import type { ReplySources } from '../prompt/reply-sources.ts';
import type { TokenUsage } from './generation-events.ts';
import type { LiveGenerationWriter } from './live-generation.ts';

export interface ReplyEnding {
  usage: TokenUsage | null;
  /** Whether it ended at a length limit. */
  truncated: boolean;
}

/** Decides while a reply is written what of it is kept. */
export interface ReplyShape {
  /** The text to keep, as far as it is decided by what was written so far. */
  write(text: string): string;
  /** The text that was held back, at the end of the reply. */
  end(): string;
  /** Whether nothing more of the reply is kept. */
  readonly isOver: boolean;
}

/** The last piece of a reply, in its shape. */
export const shaped = (text: string, shape: ReplyShape | undefined): string =>
  shape ? shape.write(text) + shape.end() : text;

/**
 * Streams a reply from the model into the live generation, up to the length that the service allows.
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
    if (live.text === '') throw new AppError('upstream_error', { message: emptyReply });
    return { usage, truncated: reason === 'length' };
  } catch (error) {
    if (error instanceof ReplyShapeEnded && live.text !== '') return { usage: null, truncated: false };
    if (error instanceof ReplyShapeEnded) throw new AppError('upstream_error', { message: emptyReply });
    if (error instanceof ReplyLimitReached) return { usage: null, truncated: true };
    throw error;
  }
}

const emptyReply = 'The model returned an empty reply.';

/** Ends the provider's stream of a reply whose shape is complete. */
class ReplyShapeEnded extends Error {}

/** Ends the provider's stream of a reply that is longer than the service allows. */
class ReplyLimitReached extends Error {}

/** The first `length` UTF-16 units of a text, without half a character at the end. */
const cut = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length);

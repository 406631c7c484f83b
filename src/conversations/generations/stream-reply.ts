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

/**
 * Streams a reply from the model into the live generation, up to the length that the service allows.
 * @throws AppError what the model throws, `upstream_error` for an empty reply; the signal's reason after an abort
 */
export async function streamReply(
  ctx: Ctx,
  { model, turns, given }: ReplyPrompt,
  live: Pick<LiveGenerationWriter, 'text' | 'signal' | 'append'>,
  sources: ReplySources,
): Promise<ReplyEnding> {
  sources.give(given);
  const request = { model: ctx.config.models[model], turns, signal: live.signal };
  const append = (text: string): void => {
    const capacity = ctx.config.maxReplyCharacters - live.text.length;
    live.append(text.length > capacity ? cut(text, capacity) : text);
    if (text.length > capacity) throw new ReplyLimitReached();
  };
  try {
    const { reason, usage } = await ctx.ports.languageModel.stream(request, (content) =>
      append(sources.write(content)),
    );
    append(sources.end());
    if (live.text === '') throw new AppError('upstream_error', { message: 'The model returned an empty reply.' });
    return { usage, truncated: reason === 'length' };
  } catch (error) {
    if (error instanceof ReplyLimitReached) return { usage: null, truncated: true };
    throw error;
  }
}

/** Ends the provider's stream of a reply that is longer than the service allows. */
class ReplyLimitReached extends Error {}

/** The first `length` UTF-16 units of a text, without half a character at the end. */
const cut = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length);

import type { Ctx } from '../../core/ctx.ts';
import type { ModelId } from '../../agents/models.ts';
import { type ChatTurn, EmptyReply } from './language-model.ports.ts';

/**
 * Returns the complete response of a model to an internal prompt of the service; '' if it is empty.
 * @throws what the model throws otherwise
 */
export async function completeText(
  ctx: Ctx,
  model: ModelId,
  turns: readonly ChatTurn[],
  signal: AbortSignal,
): Promise<string> {
  let text = '';
  try {
    await ctx.ports.languageModel.stream({ model: ctx.config.models[model], turns, signal }, (content) => {
      text += content;
    });
  } catch (error) {
    if (!(error instanceof EmptyReply)) throw error;
  }
  return text;
}

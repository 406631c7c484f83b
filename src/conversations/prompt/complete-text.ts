import type { Ctx } from '../../core/ctx.ts';
import type { ModelId } from '../../agents/models.ts';
import type { ChatTurn } from './language-model.ports.ts';

/** Returns a model's whole response to a prompt of the service itself. @throws what the model throws */
export async function completeText(
  ctx: Ctx,
  model: ModelId,
  turns: readonly ChatTurn[],
  signal: AbortSignal,
): Promise<string> {
  let text = '';
  await ctx.ports.languageModel.stream({ model: ctx.config.models[model], turns, signal }, (content) => {
    text += content;
  });
  return text;
}

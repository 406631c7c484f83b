import type { Ctx } from '../core/ctx.ts';
import type { ModelId } from '../core/models.ts';
import type { ChatTurn } from './language-model.ports.ts';

/** The whole answer of a model to a prompt of the service's own. @throws what the model throws */
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

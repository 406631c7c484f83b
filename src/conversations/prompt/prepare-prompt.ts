import type { ModelId } from '../../agents/models.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { RetrievedChunk } from '../../knowledge/retrieval/relevant-chunks.ts';
import type { ChatTurn } from './language-model.ports.ts';
import { packPrompt } from './prompt.ts';

/** Input of the model for a reply. */
export interface ReplyPrompt {
  model: ModelId;
  turns: ChatTurn[];
  /** Chunks in the prompt, in the order of their marks. */
  given: RetrievedChunk[];
}

/** Largest number of turns of a conversation that are considered for a prompt; the newest ones. */
export const maxHistory = 200;

interface ReplyParts {
  model: ModelId;
  instructions: string;
  summary: string | null;
  retrieved: readonly RetrievedChunk[];
  /** Newest turn last. */
  history: readonly ChatTurn[];
  message: string;
}

/** Packs the parts into the context of the model. @throws AppError `context_length_exceeded` */
export function preparePrompt(ctx: Ctx, { model, retrieved, ...parts }: ReplyParts): ReplyPrompt {
  const { turns, passages } = packPrompt({
    ...parts,
    retrieved: retrieved.map(({ filename, place, content }) => ({
      source: place ? `${filename}, ${place}` : filename,
      content,
    })),
    model: ctx.config.models[model],
  });
  return { model, turns, given: retrieved.slice(0, passages) };
}

import { AppError } from '../../core/errors.ts';
import type { CheckedContent, ContentCheck, ContentVerdict } from '../../moderation/moderation.ports.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { ProviderError } from './failures.ts';
import { retryCall } from './retries.ts';

interface ContentCheckOptions extends OpenAiOptions {
  model: string;
}

const timeoutMs = 10_000;

/** Creates a content check on the moderation endpoint of OpenAI or any compatible provider. */
export function createOpenAiContentCheck({ model, ...provider }: ContentCheckOptions): ContentCheck {
  const client = openAiClient(provider);
  return {
    async check(content, caller) {
      const signal = AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)]);
      const call = async (): Promise<ContentVerdict> => {
        const { results } = await (await client()).moderations.create({ model, input: inputOf(content) }, { signal });
        const [result] = results;
        if (typeof result?.flagged !== 'boolean') throw new ProviderError('malformed', { detail: 'verdict' });
        const categories = Object.entries(result.categories ?? {});
        return {
          flagged: result.flagged,
          categories: categories.flatMap(([name, isFlagged]) => (isFlagged ? [name] : [])),
        };
      };
      try {
        return await retryCall(call, { deadlineMs: performance.now() + timeoutMs, signal });
      } catch (error) {
        throw new AppError('unavailable', {
          message: 'The content check is unavailable right now, so no image was generated. Try again in a few minutes.',
          retryAfterSeconds: 60,
          cause: toAppError(error),
        });
      }
    },
  };
}

const inputOf = (content: CheckedContent) =>
  'text' in content
    ? [{ type: 'text' as const, text: content.text }]
    : [{ type: 'image_url' as const, image_url: { url: dataUri(content.mediaType, content.image) } }];

const dataUri = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;

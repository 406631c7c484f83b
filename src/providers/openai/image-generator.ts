import { APIError } from 'openai/error';
import { type ImageGenerator, ImageRefused, type ImageRequest } from '../../images/image.ports.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { ProviderError } from './failures.ts';
import { retryCall } from './retries.ts';

interface ImageGeneratorOptions extends OpenAiOptions {
  model: string;
  /** Timeout from the call to the image, including retries and their delays. */
  timeoutMs: number;
}

/** Maximum size of an image. A PNG of 1536×1024 pixels takes at most 6 MB. */
const maxImageBytes = 20 * 1_048_576;

/** Creates an image generator on the images endpoint of OpenAI or any compatible provider. */
export function createOpenAiImageGenerator(options: ImageGeneratorOptions): ImageGenerator {
  const client = openAiClient(options);
  const generate = async ({ prompt, width, height, safetyIdentifier }: ImageRequest, signal: AbortSignal) => {
    const { data } = await (
      await client()
    ).images.generate(
      {
        model: options.model,
        prompt,
        n: 1,
        size: sizeFor(options.model, width, height),
        output_format: 'png',
        safety_identifier: safetyIdentifier,
      },
      { signal },
    );
    const encoded = data?.[0]?.b64_json;
    if (typeof encoded !== 'string' || encoded === '') throw new ProviderError('no_content', { detail: 'image' });
    if (encoded.length > (maxImageBytes * 4) / 3) throw new ProviderError('malformed', { detail: 'image size' });
    return Buffer.from(encoded, 'base64');
  };
  return {
    async generate(request) {
      const timeout = AbortSignal.timeout(options.timeoutMs);
      const signal = AbortSignal.any([request.signal, timeout]);
      try {
        const deadlineMs = performance.now() + options.timeoutMs;
        return await retryCall(() => generate(request, signal), { deadlineMs, signal });
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (timeout.aborted) throw new ProviderError('timeout');
        throw isRefusal(error) ? new ImageRefused('the provider refused the prompt') : toAppError(error);
      }
    },
  };
}

/**
 * Returns the size to request. Models since gpt-image-2 accept any size; for older ones it is the nearest of their
 * three, and the image is cropped.
 */
const sizeFor = (model: string, width: number, height: number): string =>
  width === height || /^gpt-image-(?!1)/.test(model) ? `${width}x${height}` : '1536x1024';

const isRefusal = (error: unknown): boolean =>
  error instanceof APIError &&
  error.status === 400 &&
  /moderation_blocked|content_policy|image_generation_user_error|safety/.test(
    `${error.code ?? ''} ${error.type ?? ''}`,
  );

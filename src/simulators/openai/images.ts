import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './journal.ts';
import { drawPicture } from './drawing.ts';
import { apiError, errorForStatus, HttpError, sendError, sendJson } from './http.ts';
import type { Behaviour } from './script.ts';

/**
 * Markers in a prompt: `[[refuse]]` (rejected by the safety system), `[[fail]]` and `[[fail:429]]` (HTTP 500, 429),
 * `[[hang]]` (no response), `[[slow]]` and `[[slow:8000]]` (delay of 3 s, 8 s).
 */
const markers = /\[\[(refuse|fail|hang|slow)(?::(\d{1,5}))?\]\]/;
const slowMs = 3_000;

interface ImagesCall extends Call {
  rule: Behaviour | undefined;
}

/** Handles POST /v1/images/generations. The image depends only on model, prompt and size. */
export async function answerImages({ res, recorded, rule }: ImagesCall): Promise<void> {
  const { model, prompt, size = '1024x1024' } = recorded.body;
  if (typeof prompt !== 'string' || prompt === '') throw apiError(400, "Missing required parameter: 'prompt'.");
  if (typeof model !== 'string') throw apiError(400, "Missing required parameter: 'model'.");
  const { width, height } = checkSize(size);
  const [, marker, value] = markers.exec(prompt) ?? [];
  await rule?.gate;
  if (marker === 'hang' || rule?.fault?.kind === 'hang') return;
  if (rule?.fault) return void res.destroy();
  if (rule?.status || marker === 'fail') {
    return sendError(res, errorForStatus(rule?.status ?? Number(value ?? 500), rule?.retryAfterSeconds, rule?.error));
  }
  if (!/^gpt-image-|^chatgpt-image-/.test(model)) {
    return sendError(res, errorForStatus(404, undefined, { message: `The model '${model}' does not exist.` }));
  }
  if (marker === 'refuse') {
    return sendError(
      res,
      new HttpError(400, {
        message: 'Your request was rejected by the safety system.',
        type: 'image_generation_user_error',
        param: null,
        code: 'moderation_blocked',
      }),
    );
  }
  if (rule?.answer) return sendJson(res, 200, rule.answer);
  if (marker === 'slow') await sleep(value ? Number(value) : slowMs);
  const png = await drawPicture({ model, prompt, width, height });
  sendJson(res, 200, {
    created: 1_790_000_000,
    data: [{ b64_json: png.toString('base64') }],
    output_format: 'png',
    size,
    usage: { input_tokens: Math.ceil(prompt.length / 4), output_tokens: 1_056, total_tokens: 1_056 },
  });
}

function checkSize(size: unknown): { width: number; height: number } {
  const [, width = 0, height = 0] = (/^(\d{3,4})x(\d{3,4})$/.exec(String(size)) ?? []).map(Number);
  const ratio = width / height;
  if (width % 16 || height % 16 || !(ratio >= 1 / 3 && ratio <= 3) || width * height > 2_560 * 1_440) {
    throw apiError(400, `Invalid size '${String(size)}'. Width and height must be divisible by 16, from 1:3 to 3:1.`);
  }
  return { width, height };
}

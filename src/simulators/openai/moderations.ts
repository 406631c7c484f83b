import type { Call } from './journal.ts';
import { apiError, errorForStatus, sendError, sendJson } from './http.ts';
import type { Behaviour } from './script.ts';

/**
 * Categories of omni-moderation.
 * @see https://developers.openai.com/api/docs/guides/moderation
 */
const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];

/**
 * Handles POST /v1/moderations. Flags a text with `[[flag]]` or `[[flag:category]]`, and simulates the fault of the
 * script.
 */
export function answerModerations({ res, recorded, rule }: Call & { rule: Behaviour | undefined }): void {
  const { model, input } = recorded.body;
  if (typeof input !== 'string' && !Array.isArray(input)) throw apiError(400, "Missing required parameter: 'input'.");
  if (rule?.fault) return rule.fault.kind === 'hang' ? undefined : void res.destroy();
  if (rule?.status) return sendError(res, errorForStatus(rule.status, rule.retryAfterSeconds, rule.error));
  if (rule?.answer) return sendJson(res, 200, rule.answer);
  // Images are data URIs, in which the marker cannot occur.
  const found = [...JSON.stringify(input).matchAll(/\[\[flag(?::([a-z/-]{1,40}))?\]\]/g)].map(
    ([, category]) => category ?? 'illicit',
  );
  const isFlagged = (category: string): boolean => found.includes(category);
  sendJson(res, 200, {
    id: 'moderation-simulator',
    model: typeof model === 'string' ? model : 'omni-moderation-latest',
    results: [
      {
        flagged: found.length > 0,
        categories: Object.fromEntries(categories.map((category) => [category, isFlagged(category)])),
        category_scores: Object.fromEntries(
          categories.map((category) => [category, isFlagged(category) ? 0.97 : 0.00001]),
        ),
        category_applied_input_types: Object.fromEntries(
          categories.map((category) => [category, isFlagged(category) ? ['text'] : []]),
        ),
      },
    ],
  });
}

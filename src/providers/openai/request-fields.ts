import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { APIError } from 'openai/error';
import type { OptionalField } from '../../agents/models.ts';
import type { CompletionRequest } from '../../conversations/prompt/language-model.ports.ts';

/** Sends a request. */
type Send<Result> = (params: ChatCompletionCreateParamsStreaming) => Promise<Result>;

/** Calls a provider with the fields that it accepts. */
export interface RequestFields {
  /**
   * Sends a request. If the provider refuses an optional field, sends it again without the field, and omits the field in
   * later requests to the same model. Each field is refused at most once.
   */
  send<Result>(request: CompletionRequest, send: Send<Result>): Promise<Result>;
}

/** Creates the memory of one provider. */
export function createRequestFields(): RequestFields {
  const learned = new Map<string, Set<OptionalField>>();
  return {
    async send(request, send) {
      const { providerModel, unsupportedFields } = request.model;
      for (;;) {
        const refused = learned.get(providerModel) ?? new Set<OptionalField>();
        const params = completionParams(request, new Set([...refused, ...unsupportedFields]));
        try {
          return await send(params);
        } catch (error) {
          const field = refusedField(error, params);
          if (!field) throw error;
          learned.set(providerModel, new Set([...refused, field]));
        }
      }
    },
  };
}

function completionParams(
  { model, turns }: CompletionRequest,
  refused: ReadonlySet<OptionalField>,
): ChatCompletionCreateParamsStreaming {
  const isSent = (field: OptionalField): boolean => !refused.has(field);
  const hasEffort = model.reasoningEffort !== undefined && isSent('reasoning_effort');
  const isReasoning = hasEffort && model.reasoningEffort !== 'none';
  return {
    model: model.providerModel,
    messages: turns.map(({ role, content }) => ({ role, content })),
    ...limitOf(model.maxOutputTokens, isSent),
    ...(hasEffort && { reasoning_effort: model.reasoningEffort }),
    ...(!isReasoning && isSent('temperature') && { temperature: model.temperature }),
    stream: true,
    ...(isSent('stream_options') && { stream_options: { include_usage: true } }),
  };
}

/** Returns the limit of the reply in its current field, or in the older one, which many providers know only. */
function limitOf(tokens: number, isSent: (field: OptionalField) => boolean) {
  if (isSent('max_completion_tokens')) return { max_completion_tokens: tokens };
  return isSent('max_tokens') ? { max_tokens: tokens } : {};
}

/** How providers say that they do not know a field or its value, rather than that the value is too large. */
const refusal =
  /unsupported|not supported|does ?n[o']t support|unrecognized|unknown|unexpected|not permitted|not allowed|forbidden|extra (inputs|fields)|no such field|cannot find field|deprecated/;

const optional: Readonly<Record<OptionalField, true>> = {
  stream_options: true,
  max_completion_tokens: true,
  max_tokens: true,
  reasoning_effort: true,
  temperature: true,
};

/** Returns the field of the request that the provider refuses; undefined for any other error. */
function refusedField(error: unknown, params: object): OptionalField | undefined {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return undefined;
  const message = `${error.message} ${error.code ?? ''} ${error.type ?? ''}`.toLowerCase();
  if (!refusal.test(message)) return undefined;
  const sent = (Object.keys(optional) as OptionalField[]).filter((field) => field in params);
  // A message can name the field to use instead, so the explicit name and the order of the text decide.
  const named = sent.find((field) => error.param === field);
  const positions = sent.map((field) => ({ field, at: message.search(new RegExp(String.raw`\b${field}\b`)) }));
  return named ?? positions.filter(({ at }) => at >= 0).toSorted((one, other) => one.at - other.at)[0]?.field;
}

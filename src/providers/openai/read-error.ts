import { isObject } from './read-chunk.ts';

/** An error as a provider describes it. It is used to classify the failure and never shown. */
export interface WireError {
  message: string;
  code?: string;
  type?: string;
  /** Name of the field of the request that the error is about. */
  param?: string;
}

/** Longest part of a provider's text that is examined. */
const maxLength = 4_000;

/**
 * Reads an error in the form of OpenAI (`{error: {message, code, type, param}}`) or of another provider of its protocol:
 * `error` as a text (Ollama, TGI, xAI), a list of errors (Gemini), `detail` as a text or a list (FastAPI), the fields
 * without `error` (vLLM, Mistral, Bedrock), an inner error (Azure), or a forwarded one (OpenRouter). Total: accepts any
 * value.
 */
export function readError(value: unknown): WireError {
  if (typeof value === 'string') return { message: value.slice(0, maxLength) };
  if (Array.isArray(value)) return { message: value.map(describeItem).join('; ').slice(0, maxLength) };
  if (!isObject(value)) return { message: '' };
  const { error = value['detail'] ?? value['errors'] } = value;
  const outer = fieldsOf(value);
  if (error === undefined || error === null) return outer;
  const inner = isObject(error) ? withInner(error) : readError(error);
  return { ...outer, ...inner, message: [inner.message, outer.message].filter(Boolean).join('; ').slice(0, maxLength) };
}

/** Returns an error of a list, with the path of the field that it is about. */
function describeItem(item: unknown): string {
  const { message } = readError(item);
  if (!isObject(item) || !Array.isArray(item['loc'])) return message;
  return `${(item['loc'] as unknown[]).join('.')}: ${message} (${textOf(item['type']) ?? ''})`;
}

function withInner(error: Record<string, unknown>): WireError {
  const fields = fieldsOf(error);
  const { innererror, metadata } = error;
  const more = [
    isObject(innererror) ? textOf(innererror['code']) : undefined,
    isObject(metadata) ? textOf(metadata['raw']) : undefined,
  ];
  return { ...fields, message: [fields.message, ...more].filter(Boolean).join('; ').slice(0, maxLength) };
}

function fieldsOf(error: Record<string, unknown>): WireError {
  const code = textOf(error['code']);
  // Google's name of a status is more specific than its number.
  const type = textOf(error['type']) ?? textOf(error['error_type']) ?? textOf(error['status']);
  const param = textOf(error['param']);
  return {
    message: (textOf(error['message'] ?? error['Message'] ?? error['msg']) ?? '').slice(0, maxLength),
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
    ...(param !== undefined && { param }),
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value).slice(0, maxLength) : undefined;
}

/** Largest number of bytes of an error response that are read. */
const maxBytes = 65_536;

/**
 * Returns an error response whose body has OpenAI's form, which is the only one that the SDK reads. The status and the
 * headers stay the same.
 */
export async function withReadableError(response: Response): Promise<Response> {
  const text = await beginningOf(response);
  const error = readError(parsed(text));
  const isPage = /^\s*</.test(text);
  const body = JSON.stringify({ error: isPage ? { ...error, message: '', type: 'web_page' } : error });
  // A response with this status has no body.
  return response.status === 304
    ? new Response(null, { status: 304, headers: response.headers })
    : new Response(body, { status: response.status, headers: response.headers });
}

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > maxBytes) break;
    }
  } catch {
    // The status alone describes the failure.
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

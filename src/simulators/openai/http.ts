import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body of OpenAI's error responses. */
export interface ApiErrorBody {
  message: string;
  type: string;
  param?: string | null;
  code?: string | null;
}

export class HttpError extends Error {
  readonly status: number;
  readonly body: ApiErrorBody;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: ApiErrorBody, retryAfterSeconds?: number) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns an error in OpenAI's format. */
export const apiError = (
  status: number,
  message: string,
  type = 'invalid_request_error',
  code: string | null = null,
): HttpError => new HttpError(status, { message, type, param: null, code });

/** Returns OpenAI's usual error for a status. */
export function errorForStatus(status: number, retryAfterSeconds?: number, body?: Partial<ApiErrorBody>): HttpError {
  const [message, type, code] = usualErrors[status] ?? [
    'The server had an error while processing your request.',
    'server_error',
    null,
  ];
  return new HttpError(status, { message, type, param: null, code, ...body }, retryAfterSeconds);
}

const usualErrors: Record<number, [message: string, type: string, code: string | null]> = {
  400: ['The request is not valid.', 'invalid_request_error', null],
  401: ['Incorrect API key provided: sk-simulator.', 'invalid_request_error', 'invalid_api_key'],
  403: ['You are not allowed to use this model.', 'invalid_request_error', null],
  404: ['The model does not exist or you do not have access to it.', 'invalid_request_error', 'model_not_found'],
  429: ['Rate limit reached for requests.', 'requests', 'rate_limit_exceeded'],
  503: ['The engine is currently overloaded, please try again later.', 'server_error', null],
};

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    .end(text);
}

export function sendError(res: ServerResponse, { status, body, retryAfterSeconds }: HttpError): void {
  sendJson(
    res,
    status,
    { error: body },
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
}

const maxBodyBytes = 32 * 1_048_576;

/** Reads a body of at most 32 MB. @throws HttpError 413, or 400 when it is not a JSON object */
export async function readJson(req: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > maxBodyBytes) throw apiError(413, 'The request body is too large.');
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Falls through to the response for JSON that is not an object.
  }
  throw apiError(400, 'We could not parse the JSON body of your request.');
}

import { ApiError, offline } from '../api/api-error.ts';
import { accessToken } from '../api/session.ts';
import { toApiError } from '../api/session-requests.ts';
import { texts } from './texts.ts';

const formats = /\.(txt|md|pdf|csv|json)$/i;

/** Returns why a file cannot be uploaded, without a request, or null when it can. */
export function refusalOf(file: File, maximumBytes: number): ApiError | null {
  if (!formats.test(file.name)) {
    return new ApiError('UNSUPPORTED_MEDIA_TYPE', texts.kindFileCantRead);
  }
  if (file.size === 0) return new ApiError('INVALID_REQUEST', texts.fileEmpty);
  if (file.size <= maximumBytes) return null;
  const limit = Math.floor(maximumBytes / 1_048_576);
  return new ApiError('PAYLOAD_TOO_LARGE', texts.fileLargerThanMb(limit));
}

/** Uploads a document. `fetch` reports no progress, so this uses XMLHttpRequest. Rejects with ApiError. */
export async function uploadDocument(
  agentId: string,
  file: File,
  { key, signal, onProgress }: { key: string; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<void> {
  const token = await accessToken();
  // It may have been cancelled while the session was renewed.
  signal.throwIfAborted();
  const body = new FormData();
  body.append('file', file);
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/knowledge/${agentId}/documents`);
    request.setRequestHeader('authorization', `Bearer ${token ?? ''}`);
    request.setRequestHeader('idempotency-key', key);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () => {
      if (request.status < 300) resolve();
      else reject(errorOf(request));
    });
    request.addEventListener('error', () => reject(offline()));
    request.addEventListener('abort', () => reject(new ApiError('CANCELLED', texts.uploadCancelled)));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

function errorOf(request: XMLHttpRequest): ApiError {
  const headers = { 'x-request-id': request.getResponseHeader('x-request-id') ?? '' };
  return toApiError(parse(request.responseText), new Response(null, { status: request.status, headers }));
}

function parse(text: string): Parameters<typeof toApiError>[0] {
  try {
    return JSON.parse(text) as Parameters<typeof toApiError>[0];
  } catch {
    return {};
  }
}

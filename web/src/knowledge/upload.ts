import { ApiError, offline } from '../api/api-error.ts';
import { sendAuthorized } from '../api/request.ts';
import { errorOf } from '../api/session-requests.ts';
import { texts } from './texts.ts';

const extensions = ['txt', 'log', 'md', 'markdown', 'pdf', 'csv', 'tsv', 'json', 'jsonl', 'ndjson'];
const formats = new RegExp(`\\.(?:${extensions.join('|')})$`, 'i');

/** The `accept` attribute of a field for documents. */
export const acceptedFiles = extensions.map((extension) => `.${extension}`).join(',');

/** Encodings that a person can choose, by their names in the Encoding Standard. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;

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

interface UploadRequest {
  /** The Idempotency-Key. */
  key: string;
  /** ID of the document that is deleted once the new one is ready. */
  replaces: string | null;
  /** Encoding of a text file; null when it has to be found. */
  encoding: string | null;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

/** Uploads a document. `fetch` reports no progress, so this uses XMLHttpRequest. Rejects with ApiError. */
export async function uploadDocument(
  agentId: string,
  file: File,
  { key, replaces, encoding, signal, onProgress }: UploadRequest,
): Promise<void> {
  const body = new FormData();
  body.append('file', file);
  if (replaces !== null) body.append('replaces', replaces);
  if (encoding !== null) body.append('encoding', encoding);
  const send = (authorization: Record<string, string>): Promise<Response> => {
    // It may have been cancelled while the session was renewed.
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('POST', `/v1/knowledge/${agentId}/documents`);
      for (const [name, value] of Object.entries({ ...authorization, 'idempotency-key': key }))
        request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
      request.addEventListener('load', () => resolve(responseOf(request)));
      request.addEventListener('error', () => reject(offline()));
      request.addEventListener('abort', () => reject(new ApiError('CANCELLED', texts.uploadCancelled)));
      signal.addEventListener('abort', () => request.abort(), { once: true });
      request.send(body);
    });
  };
  const response = await sendAuthorized(send);
  if (!response.ok) throw await errorOf(response);
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['retry-after', 'x-request-id']) headers.set(name, request.getResponseHeader(name) ?? '');
  return new Response(request.responseText, { status: request.status, headers });
}

import { ApiError, offline } from './api-error.ts';
import { texts } from './texts.ts';

export interface Grant {
  accessToken: string;
  accountId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** When to fetch a new token: at 80 % of its lifetime. */
  renewAt: number;
  /** The account's last event at that time; null when there was none. */
  lastEventId: string | null;
}

interface GrantBody {
  access_token: string;
  expires_in: number;
  last_event_id: string | null;
}

export interface ErrorBody {
  error?: { code: string; message: string; details?: { field: string; code: string; message: string }[] };
}

/** Calls one of the /session routes. Returns null for 204: there is no session. */
export async function postSession(
  action: 'register' | 'login' | 'restore' | 'refresh' | 'logout',
  body: Record<string, string> = {},
): Promise<Grant | null> {
  const response = await fetch(`/session/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw offline();
  });
  if (response.status === 204) return null;
  if (!response.ok) throw await errorOf(response);
  return grantOf((await response.json()) as GrantBody);
}

const grantOf = ({ access_token, expires_in, last_event_id }: GrantBody): Grant => ({
  accessToken: access_token,
  accountId: subjectOf(access_token),
  expiresAt: Date.now() + expires_in * 1000,
  renewAt: Date.now() + expires_in * 800,
  lastEventId: last_event_id,
});

/** Returns the subject of a JWT, the ID of the account. */
function subjectOf(token: string): string {
  const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  return (JSON.parse(atob(claims)) as { sub: string }).sub;
}

/** Converts the REST error envelope of a response to an ApiError. */
export const errorOf = async (response: Response): Promise<ApiError> =>
  toApiError((await response.json().catch(() => ({}))) as ErrorBody, response);

/** Like `errorOf`, for a body that was already read. */
export function toApiError({ error }: ErrorBody, { status, headers }: Response): ApiError {
  const { code, message, details } = error ?? {
    code: status >= 500 ? 'UNAVAILABLE' : 'INTERNAL_ERROR',
    message: texts.serviceNotAvailableRight,
  };
  return new ApiError(code, message, {
    details,
    retryAfterSeconds: Number(headers.get('retry-after')) || undefined,
    requestId: headers.get('x-request-id'),
  });
}

import { ApiError, offline } from '../api/api-error.ts';
import { createTokenStore } from './token-store.ts';

export interface VisitorMessage {
  id: string;
  role: 'user' | 'assistant';
  content: string;
}

export interface Session {
  visitor_token: string;
  config: {
    appearance: { starters: string[] };
    agent_name: string;
    avatar_url: string | null;
    greeting: string | null;
    notice: string | null;
  };
  messages: VisitorMessage[];
}

interface ErrorBody {
  error?: { code: string; message: string; details?: { field: string; code: string; message: string }[] };
}

/** Sends the requests of one visitor. Renews a rejected token once. */
export class VisitorApi {
  identity: string | undefined;
  challengeToken: string | undefined;
  private readonly embedId: string;
  private readonly parentOrigin: string;
  private readonly store;
  private token: string | null;
  private isIdentified = false;

  constructor(embedId: string, parentOrigin: string) {
    this.embedId = embedId;
    this.parentOrigin = parentOrigin;
    this.store = createTokenStore(embedId);
    this.token = this.store.read();
  }

  async startSession(): Promise<Session> {
    const body = {
      embed_id: this.embedId,
      parent_origin: this.parentOrigin,
      visitor_token: this.token,
      identity_token: this.identity,
      challenge_token: this.challengeToken,
    };
    const response = await send('/v1/embed/sessions', { method: 'POST', body: JSON.stringify(body) }, null);
    if (!response.ok) throw await errorOf(response);
    const session = (await response.json()) as Session;
    this.token = session.visitor_token;
    // Not stored for an identified customer: the website's token identifies them, and they sign out there.
    this.isIdentified = this.identity !== undefined;
    if (!this.isIdentified) this.store.write(this.token);
    return session;
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    let response = await send(path, init, this.token);
    if (response.status === 401) {
      await this.startSession();
      response = await send(path, init, this.token);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  /** Makes the token of an identified customer invalid. Does not wait for the result. */
  endSession(): void {
    if (!this.isIdentified) return;
    send('/v1/embed/sessions', { method: 'DELETE', keepalive: true }, this.token).catch(() => undefined);
    this.token = null;
  }

  forgetToken(): void {
    this.token = null;
    this.store.write(null);
  }
}

async function send(path: string, init: RequestInit, token: string | null): Promise<Response> {
  const headers = new Headers(init.headers);
  if (init.body) headers.set('content-type', 'application/json');
  if (token) headers.set('authorization', `Bearer ${token}`);
  try {
    return await fetch(path, { ...init, headers, credentials: 'omit', cache: 'no-store' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw offline();
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const { error } = (await response.json().catch(() => ({}))) as ErrorBody;
  if (!error) return offline();
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
  return new ApiError(error.code, error.message, { details: error.details, retryAfterSeconds });
}

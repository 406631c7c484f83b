export interface Created {
  id: string;
  access_token: string;
  session_id: string;
  assistant_message: { id: string };
  visitor_token: string;
  url: string;
  /** Of an invitation. */
  token: string;
  data: { id: string; live: boolean; state: string }[];
}

export interface ServiceClient {
  /** Sends JSON or a form as the person whose token it is, and returns the JSON. @throws Error on any refusal */
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object | FormData, token?: string): Promise<Created>;
  post(path: string, body: object | FormData, token?: string): Promise<Created>;
  signUp(email: string, username?: string): Promise<string>;
}

export const password = 'correct horse battery';

export function serviceClient(baseUrl: string): ServiceClient {
  const call: ServiceClient['call'] = async (method, path, body, token) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        origin: baseUrl,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Created;
  };
  const post: ServiceClient['post'] = (path, body, token) => call('POST', path, body, token);
  return {
    call,
    post,
    signUp: async (email, username) =>
      (await post('/session/register', { email, password, ...(username ? { username } : {}) })).access_token,
  };
}

interface Screens {
  credentials: { email: string; password: string };
  visitor: readonly (readonly [name: string, path: string])[];
  member: readonly (readonly [name: string, path: string])[];
}

const guide = `# Opening hours

The library is open from nine to eight on weekdays and from ten to four on Saturdays. It is closed on Sundays.

# Borrowing

Books can be borrowed for four weeks and renewed twice. Reference works stay in the reading hall.
`;

const greeting = `Hello! I explain mathematics one step at a time. For example, a number is **prime** when it has exactly two divisors:

\`\`\`ts
export function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n > 1;
}
\`\`\`

| Number | Prime | Reason |
| --- | --- | --- |
| 7 | yes | no divisor but 1 and 7 |
| 9 | no | 3 × 3 |

The sum of the first *n* numbers is $\\frac{n(n+1)}{2}$. What would you like to work on?`;

/** An account with agents, a document and a conversation, and the paths to take pictures of. */
export async function seed(baseUrl: string): Promise<Screens> {
  const credentials = { email: 'ada@example.com', password: 'correct horse battery' };
  const call = async (path: string, body: object | FormData, token?: string) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: {
        origin: baseUrl,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    return (await response.json()) as { id: string; access_token: string; session_id: string };
  };
  const { access_token: token } = await call('/session/register', { ...credentials, username: 'ada.lovelace' });
  const agent = (fields: object) =>
    call('/v1/agents', { instructions: 'You are helpful.', is_public: true, ...fields }, token);
  const tutor = await agent({
    name: 'Euler',
    description: 'A patient mathematics tutor.',
    category: 'tutor',
    greeting_message: greeting,
    instructions: 'You are a patient mathematics tutor. Explain one step at a time, with a short example for each.',
  });
  const librarian = await agent({
    name: 'Librarian',
    description: 'Knows the opening hours and how borrowing works.',
    category: 'assistant',
    greeting_message: 'Welcome to the library.',
  });
  await agent({ name: 'Rumi', description: 'Short poems about everyday things.', category: 'creative' });
  const file = new FormData();
  file.append('file', new Blob([guide], { type: 'text/markdown' }), 'library-guide.md');
  await call(`/v1/knowledge/${librarian.id}/documents`, file, token);
  const conversation = await call('/v1/conversations', { agent_id: tutor.id, title: 'Prime numbers' }, token);
  await call(`/v1/conversations/${conversation.id}/messages`, { content: 'Is 91 a prime number?' }, token);
  const integration = await call(
    '/v1/integrations/chat_server',
    { agent_id: librarian.id, bot_token: 'any', guild_id: '420070400000000001', channel_ids: ['general', 'help'] },
    token,
  );
  await call(`/dev/platforms/${integration.id}/messages`, {
    author: 'Grace',
    text: 'When do you open?',
    mention: true,
  });
  await call('/v1/integrations/chat_messenger', { agent_id: tutor.id, bot_token: 'bad-token' }, token);
  const webhook = await call(
    '/v1/webhooks',
    { url: 'https://hooks.example.com/agents', description: 'Orders', events: ['agent.created', 'message.created'] },
    token,
  );
  await call('/v1/webhooks', { url: 'https://hooks.example.com/all', events: ['conversation.created'] }, token);
  for (let n = 0; n < 3; n++) await call(`/v1/webhooks/${webhook.id}/test`, {}, token);
  await call('/v1/auth/api-keys', { name: 'Reports', scopes: ['agents:read', 'conversations:read'] }, token);
  const pages = { success_url: baseUrl, cancel_url: baseUrl };
  const checkout = await call('/v1/billing/checkout', { plan: 'plus', interval: 'month', ...pages }, token);
  await fetch(`${baseUrl}/dev/processor/checkout/${checkout.session_id}`, {
    method: 'POST',
    body: new URLSearchParams({ card: 'good' }),
    redirect: 'manual',
  });
  return {
    credentials,
    visitor: [
      ['welcome', '/'],
      ['sign-up', '/sign-up'],
    ],
    member: [
      ['new-chat', `/chat?agent=${librarian.id}`],
      ['chat', `/chat/${conversation.id}`],
      ['search', '/search?q=prime'],
      ['agents', '/agents'],
      ['agent-editor', `/agents/${tutor.id}/edit`],
      ['knowledge', `/agents/${librarian.id}/knowledge?query=When+is+the+library+open%3F`],
      ['explore', '/explore'],
      ['preferences', '/settings/preferences'],
      ['integrations', '/integrations'],
      ['connect', '/integrations?connect=CHAT_SERVER'],
      ['integration', `/integrations/${integration.id}`],
      ['webhooks', '/webhooks'],
      ['webhook', `/webhooks/${webhook.id}`],
      ['events', '/events'],
      ['event-catalog', '/events/catalog'],
      ['api-keys', '/api-keys'],
      ['profile', '/settings/profile'],
      ['security', '/settings/security'],
      ['billing', '/settings/billing'],
      ['data', '/settings/data'],
      ['local', '/settings/local'],
    ],
  };
}

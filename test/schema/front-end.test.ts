import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { BeginDocument, InboxDocument, MakeAgentDocument, SayDocument } from '../support/generated/operations.ts';

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await app.signUp());
});
afterAll(() => app.close());

/** Everything that a front end needs: the document has the types of its variables and its result. */
const ask = async <Result, Variables extends object>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> => {
  const { body } = await app.graphql(print(document), { as: token, variables });
  expect(body.errors).toBeUndefined();
  return body.data as Result;
};

test('typed documents lead a front end from an agent to a page of conversations', async () => {
  const { createAgent } = await ask(MakeAgentDocument, {
    input: { name: 'Ada', instructions: 'Teach.', category: 'TUTOR', greetingMessage: 'Hello.' },
  });
  expect(createAgent.model).toBe('DEFAULT');
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) ids.push((await ask(BeginDocument, { agentId: createAgent.id })).createConversation.id);
  const { sendMessage } = await ask(SayDocument, { conversationId: ids[0] ?? '', content: 'What is a prime?' });

  const { conversations } = await ask(InboxDocument, { limit: 1 });
  const [latest] = conversations.data;
  expect(latest).toMatchObject({ id: ids[0], agent: { name: 'Ada' } });
  expect(latest?.messages.map(({ role }) => role)).toEqual(['ASSISTANT', 'USER', 'ASSISTANT']);
  expect(latest?.messages.at(-1)).toEqual(sendMessage.assistantMessage);

  expect(conversations.pageInfo.hasNextPage).toBe(true);
  const next = await ask(InboxDocument, { limit: 1, after: conversations.pageInfo.endCursor });
  expect(next.conversations.data.map(({ id }) => id)).toEqual([ids[1]]);
  expect(next.conversations.pageInfo.hasNextPage).toBe(false);
});

test('a document with an unknown value, variable or field does not compile', () => {
  const wrong = (): unknown[] => [
    // @ts-expect-error the category is unknown
    ask(MakeAgentDocument, { input: { name: 'Ada', instructions: 'Teach.', category: 'WIZARD' } }),
    // @ts-expect-error the variable is missing
    ask(BeginDocument, {}),
    // @ts-expect-error the field was not selected
    ask(SayDocument, { conversationId: '', content: '' }).then(({ sendMessage }) => sendMessage.userMessage),
  ];
  expect(wrong).toBeInstanceOf(Function);
});

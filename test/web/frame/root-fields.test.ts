import { readdirSync, readFileSync } from 'node:fs';
import { Kind, parse, visit } from 'graphql';
import { expect, test } from 'vitest';
import { buildGraphqlSchema } from '../../../schema/build.ts';

/** Root fields that the console does not use, with the reason. */
const unused: Readonly<Record<string, string>> = {
  'Query.documentContent': 'a download is a file of /v1, not JSON',
  'Query.experiment': 'the list of experiments holds everything of them',
  'Query.image': 'the gallery follows the list',
  'Query.imageOriginal': 'a download is a file of /v1, not JSON',
  'Query.messages': 'messages are read with their conversation: OpenConversation',
  'Query.moderationCasePicture': 'a picture is a file of /v1, not JSON',
  'Mutation.register': 'the session cookie: POST /session/register',
  'Mutation.login': 'the session cookie: POST /session/login',
  'Mutation.refresh': 'the session cookie: POST /session/refresh',
  'Mutation.logout': 'the session cookie: POST /session/logout',
  'Mutation.restoreAccount': 'the session cookie: POST /session/restore',
  'Mutation.sendMessage': 'replies are streamed: messageStream',
  'Mutation.regenerateMessage': 'replies are streamed: regenerateStream',
  'Mutation.editMessage': 'replies are streamed: editStream',
  'Mutation.createEmbeddings': 'for programs, in the form of OpenAI',
  'Mutation.updateExperiment': 'a draft is deleted and made again',
  'Mutation.uploadImage': 'an upload is a form of /v1',
  'Mutation.uploadDocument': 'an upload with progress is a form of /v1',
  'Mutation.speakMessage': 'sound is streamed by /v1',
  'Mutation.synthesizeSpeech': 'sound is streamed by /v1',
  'Mutation.transcribeAudio': 'a recording is a form of /v1',
  'Subscription.conversationEvents': 'the channels of /v1/socket',
};

const used = new Set<string>();
const documents = readdirSync('web/src', { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.graphql'),
);
for (const path of documents) {
  visit(parse(readFileSync(`web/src/${path}`, 'utf8')), {
    OperationDefinition: ({ operation, selectionSet }) => {
      const root = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[operation];
      for (const selection of selectionSet.selections)
        if (selection.kind === Kind.FIELD) used.add(`${root}.${selection.name.value}`);
    },
  });
}

const schema = buildGraphqlSchema();
const fields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((root) =>
  Object.keys(root?.getFields() ?? {}).map((name) => `${root?.name}.${name}`),
);

test('the console uses every root field, except those with a stated reason', () => {
  expect(fields.filter((field) => !used.has(field)).toSorted()).toEqual(Object.keys(unused).toSorted());
});

test('no reason is stated for a field that the console uses', () => {
  expect(Object.keys(unused).filter((field) => used.has(field))).toEqual([]);
});

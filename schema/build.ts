import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { protectRootFields } from './access.ts';
import { AccountResolver } from './accounts.ts';
import { AgentResolver } from './agents.ts';
import { ApiKeyResolver } from './api-keys.ts';
import { ConversationResolver } from './conversations.ts';
import { MessageResolver } from './messages.ts';
import { ModelResolver } from './models.ts';

/** The schema with every root field behind its declared access. Needs no database; inputs are checked by the operations. */
export const buildGraphqlSchema = (): GraphQLSchema =>
  protectRootFields(
    buildSchemaSync({
      resolvers: [AccountResolver, ApiKeyResolver, AgentResolver, ConversationResolver, MessageResolver, ModelResolver],
      validate: false,
    }),
  );

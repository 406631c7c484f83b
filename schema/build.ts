import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type PubSub } from 'type-graphql';
import { protectRootFields } from './access.ts';
import { AccountResolver } from './accounts.ts';
import { AccountLifeResolver } from './account-life.ts';
import { AgentResolver } from './agents.ts';
import { ApiKeyResolver } from './api-keys.ts';
import { BillingResolver } from './billing.ts';
import { ConversationResolver } from './conversations.ts';
import { withDescriptions } from './descriptions.ts';
import { GenerationResolver } from './generations.ts';
import { MessageBranchResolver } from './message-branches.ts';
import { KnowledgeResolver } from './knowledge.ts';
import { IntegrationResolver } from './integrations.ts';
import { MessageResolver } from './messages.ts';
import { ModelResolver } from './models.ts';
import { PasswordResolver } from './passwords.ts';
import { SessionResolver } from './sessions.ts';
import { SearchResolver } from './search.ts';
import { EventResolver } from './events.ts';
import { WebhookDeliveryResolver } from './webhook-deliveries.ts';
import { WebhookResolver } from './webhooks.ts';
import { VoiceResolver } from './voice.ts';

/** The schema with every root field behind its declared access, and a word about everything. Needs no database; inputs are checked by the operations. */
export const buildGraphqlSchema = (): GraphQLSchema =>
  withDescriptions(
    protectRootFields(
      buildSchemaSync({
        resolvers: [
          AccountResolver,
          PasswordResolver,
          SessionResolver,
          AccountLifeResolver,
          ApiKeyResolver,
          AgentResolver,
          ConversationResolver,
          MessageResolver,
          MessageBranchResolver,
          GenerationResolver,
          ModelResolver,
          SearchResolver,
          WebhookResolver,
          WebhookDeliveryResolver,
          EventResolver,
          KnowledgeResolver,
          BillingResolver,
          IntegrationResolver,
          VoiceResolver,
        ],
        validate: false,
        // It would ask the whole schema of itself at each start; the emitted one is checked.
        skipCheck: true,
        pubSub: noTopics,
      }),
    ),
  );

/** TypeGraphQL asks for one as soon as there is a subscription; ours read the database through their own `subscribe`. */
const noTopics: PubSub = { publish: refuse, subscribe: refuse };

function refuse(): never {
  throw new Error('A subscription brings its own `subscribe`.');
}

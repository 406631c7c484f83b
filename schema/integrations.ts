import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { discoverChannels } from '../src/integrations/discover-channels.ts';
import type { IntegrationStatus } from '../src/integrations/integration.entity.ts';
import { type IntegrationView, placesOf } from '../src/integrations/integration.events.ts';
import {
  connectMessenger,
  connectServer,
  connectWorkspace,
  deleteIntegration,
  getIntegration,
  listIntegrations,
  updateIntegration,
} from '../src/integrations/integrations.ts';
import type { BotChannel, BotPlace, PlatformKind } from '../src/integrations/platforms.ports.ts';
import { testIntegration } from '../src/integrations/test-integration.ts';
import {
  connectMessengerInput,
  connectServerInput,
  connectWorkspaceInput,
  discoverChannelsInput,
  updateIntegrationInput,
} from '../src/integrations/integration.input.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, ListSize, OncePerRequest, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { enumType } from './enum-type.ts';

const PlatformEnum = enumType<PlatformKind>('Platform', 'Chat platform.', {
  chat_server: 'Community server chat (Discord).',
  chat_messenger: 'Messenger bot (Telegram).',
  chat_workspace: 'Workspace chat (Slack).',
});

const IntegrationStatusEnum = enumType<IntegrationStatus>('IntegrationStatus', 'Connection status of an integration.', {
  active: 'Connected to the platform.',
  inactive: 'Disconnected by the owner.',
  error: 'The platform rejects the bot or its replies. Fix the cause, then activate the integration again.',
});

@ObjectType({ description: 'Why an integration does not work.' })
class IntegrationError {
  @Field(() => String, { description: 'Error code in lower case.' }) code!: string;
  @Field(() => String, { description: 'Explanation for the user.' }) message!: string;
}

@ObjectType('Integration', { description: 'An agent connected to a chat platform. Its bot token is never returned.' })
class IntegrationType {
  @Field(() => ID, { description: 'Integration ID (`int_…`).' }) id!: string;
  @Field(() => PlatformEnum, { description: 'Chat platform.' }) platform!: PlatformKind;
  @Field(() => ID, { description: 'ID of the agent that replies.' }) agentId!: string;
  @Field(() => IntegrationStatusEnum, { description: 'Connection status.' }) status!: IntegrationStatus;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'Server ID on the platform; only for chat_server.' })
  guildId!: string | null;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'Workspace ID on the platform; only for chat_workspace.' })
  workspaceId!: string | null;
  @AbsentWhenNull()
  @Field(() => [String], {
    nullable: true,
    description: 'Channels in which the agent replies; absent for chat_messenger.',
  })
  channelIds!: string[] | null;
  @Field(() => Boolean, { description: 'Whether the agent replies to every message or only when it is mentioned.' })
  autoRespond!: boolean;
  @Field(() => Int, { description: 'Number of messages received and replies sent.' }) messageCount!: number;
  @Field(() => Date, { description: 'Time of the connection request.' }) connectedAt!: Date;
  @Field(() => Date, {
    nullable: true,
    description: 'Time of the last message received or sent; null before the first.',
  })
  lastMessageAt!: Date | null;
  @GraphqlOnly()
  @Field(() => IntegrationError, {
    nullable: true,
    description: 'Reason of the failure; set while the status is `error`.',
  })
  error!: IntegrationError | null;
}

@ObjectType({ description: 'All of the caller’s integrations, newest first.' })
class IntegrationList {
  @Field(() => [IntegrationType], { description: 'Integrations.' }) data!: IntegrationType[];
  @Field(() => Int, { description: 'Number of integrations.' }) total!: number;
}

@ObjectType({ description: 'The outcome of a test message.' })
class TestResult {
  @Field(() => Boolean, { description: 'Whether the platform accepted the message.' }) success!: boolean;
  @Field(() => Int, { description: 'Response time of the platform in milliseconds.' }) latencyMs!: number;
  @Field(() => String, { nullable: true, description: 'Message ID on the platform; null if it failed.' })
  messageId!: string | null;
  @Field(() => Date, { nullable: true, description: 'Time of delivery; null if it failed.' })
  deliveredAt!: Date | null;
  @GraphqlOnly()
  @Field(() => IntegrationError, { nullable: true, description: 'Why it failed and what to do; null if it succeeded.' })
  error!: IntegrationError | null;
}

@ObjectType({ description: 'The result of testing an integration.' })
class IntegrationTest {
  @Field(() => ID, { description: 'Integration ID (`int_…`).' }) id!: string;
  @Field(() => PlatformEnum, { description: 'Chat platform.' }) platform!: PlatformKind;
  @Field(() => IntegrationStatusEnum, { description: 'Connection status.' }) status!: IntegrationStatus;
  @Field(() => TestResult, { description: 'Outcome of the test message.' }) testResult!: TestResult;
}

@ObjectType('PlatformChannel', { description: 'A channel visible to a bot.' })
class PlatformChannelType implements BotChannel {
  @Field(() => ID, { description: 'ID on the platform.' }) id!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => Boolean, {
    description: 'Whether the bot is a member of the channel. It receives no messages from other channels.',
  })
  isMember!: boolean;
}

@ObjectType('PlatformPlace', { description: 'A server or workspace of a bot.' })
class PlatformPlaceType implements BotPlace {
  @Field(() => ID, { description: 'ID on the platform: `guildId` or `workspaceId`.' }) id!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @ListSize(100)
  @Field(() => [PlatformChannelType], { description: 'Text channels.' })
  channels!: PlatformChannelType[];
}

@ObjectType({ description: 'Servers and channels that a bot can access.' })
class ChannelDiscovery {
  @Field(() => PlatformEnum, { description: 'Chat platform.' }) platform!: PlatformKind;
  @Field(() => String, { description: 'Name of the bot.' }) botName!: string;
  @ListSize(20)
  @Field(() => [PlatformPlaceType], { description: 'Servers or workspaces; none for chat_messenger.' })
  places!: PlatformPlaceType[];
  @Field(() => Boolean, {
    description:
      'Whether the list is complete. It contains at most 20 servers with 100 channels each, or 600 channels of a workspace.',
  })
  isComplete!: boolean;
}

@InputType({ description: 'The bot whose channels to list.' })
@Rules(discoverChannelsInput)
class DiscoverChannelsInput {
  @Field(() => PlatformEnum, { description: 'Chat platform.' }) platform!: PlatformKind;
  @Field(() => String, { description: 'Bot token. It is used only for this request and neither stored nor logged.' })
  botToken!: string;
}

@InputType({ description: 'A bot and its channels on a community server (chat_server).' })
@Rules(connectServerInput)
class ConnectServerInput {
  @Field(() => ID, { description: 'ID of one of the caller’s agents.' }) agentId!: string;
  @Field(() => String, { description: 'Bot token. It is stored encrypted and never returned.' }) botToken!: string;
  @Field(() => String, { description: 'ID of the server on the platform.' }) guildId!: string;
  @Field(() => [String], { description: 'IDs of 1 to 100 channels in which the agent replies.' }) channelIds!: string[];
}

@InputType({ description: 'A bot of the messenger (chat_messenger).' })
@Rules(connectMessengerInput)
class ConnectMessengerInput {
  @Field(() => ID, { description: 'ID of one of the caller’s agents.' }) agentId!: string;
  @Field(() => String, { description: 'Bot token. It is stored encrypted and never returned.' }) botToken!: string;
}

@InputType({ description: 'A bot and its channels in a workspace (chat_workspace).' })
@Rules(connectWorkspaceInput)
class ConnectWorkspaceInput {
  @Field(() => ID, { description: 'ID of one of the caller’s agents.' }) agentId!: string;
  @Field(() => String, { description: 'Bot token. It is stored encrypted and never returned.' }) botToken!: string;
  @Field(() => String, { description: 'ID of the workspace on the platform.' }) workspaceId!: string;
  @Field(() => [String], { description: 'IDs of 1 to 100 channels in which the agent replies.' }) channelIds!: string[];
}

@InputType({ description: 'Changes to an integration. Omitted fields keep their value.' })
@Rules(updateIntegrationInput)
class UpdateIntegrationInput {
  @Field(() => [String], { nullable: true, description: 'IDs of 1 to 100 channels; ignored for chat_messenger.' })
  channelIds?: string[];
  @Field(() => Boolean, { nullable: true, description: 'true connects the integration, false disconnects it.' })
  active?: boolean;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the agent replies to every message or only when it is mentioned.',
  })
  autoRespond?: boolean;
}

const toIntegration = (integration: IntegrationView): IntegrationType => {
  const { guildId = null, workspaceId = null, channelIds = null } = placesOf(integration);
  const { errorCode: code, errorMessage: message } = integration;
  return {
    id: integration.id,
    platform: integration.platform,
    agentId: integration.agentId,
    status: integration.status,
    guildId,
    workspaceId,
    channelIds,
    autoRespond: integration.autoRespond,
    messageCount: integration.messageCount,
    connectedAt: integration.connectedAt,
    lastMessageAt: integration.lastMessageAt ?? null,
    error: code && message ? { code, message } : null,
  };
};

@Resolver()
export class IntegrationResolver {
  @Access('integrations:read')
  @Query(() => IntegrationList, { description: 'Lists the caller’s integrations.' })
  async integrations(@Ctx() ctx: GraphqlContext): Promise<IntegrationList> {
    const integrations = await listIntegrations(ctx);
    return { data: integrations.map(toIntegration), total: integrations.length };
  }

  @Access('integrations:read')
  @Query(() => IntegrationType, { description: 'Returns one of the caller’s integrations.' })
  async integration(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Integration ID.' }) id: string,
  ): Promise<IntegrationType> {
    return toIntegration(await getIntegration(ctx, id));
  }

  @Access('integrations:write')
  @OncePerRequest()
  @Mutation(() => ChannelDiscovery, {
    description: 'Lists the servers and channels of a bot, for selection before connecting it.',
  })
  discoverChannels(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => DiscoverChannelsInput) input: DiscoverChannelsInput,
  ): Promise<ChannelDiscovery> {
    return discoverChannels(ctx, input);
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Connects an agent to channels of a community server.' })
  async connectServer(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ConnectServerInput) input: ConnectServerInput,
  ): Promise<IntegrationType> {
    return toIntegration(await connectServer(ctx, input));
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Connects an agent to a messenger bot.' })
  async connectMessenger(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ConnectMessengerInput) input: ConnectMessengerInput,
  ): Promise<IntegrationType> {
    return toIntegration(await connectMessenger(ctx, input));
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Connects an agent to channels of a workspace.' })
  async connectWorkspace(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ConnectWorkspaceInput) input: ConnectWorkspaceInput,
  ): Promise<IntegrationType> {
    return toIntegration(await connectWorkspace(ctx, input));
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Updates an integration.' })
  async updateIntegration(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Integration ID.' }) id: string,
    @Arg('input', () => UpdateIntegrationInput) input: UpdateIntegrationInput,
  ): Promise<IntegrationType> {
    return toIntegration(await updateIntegration(ctx, id, input));
  }

  @Access('integrations:write')
  @Mutation(() => Deletion, { description: 'Disconnects and deletes an integration. Its conversations are kept.' })
  deleteIntegration(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Integration ID.' }) id: string,
  ): Promise<Deletion> {
    return deleteIntegration(ctx, id);
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationTest, {
    description: 'Sends a test message through the platform and measures the response time.',
  })
  testIntegration(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Integration ID.' }) id: string,
  ): Promise<IntegrationTest> {
    return testIntegration(ctx, id);
  }
}

import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
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
import type { PlatformKind } from '../src/integrations/platforms.ports.ts';
import { testIntegration } from '../src/integrations/test-integration.ts';
import {
  connectMessengerInput,
  connectServerInput,
  connectWorkspaceInput,
  updateIntegrationInput,
} from '../src/integrations/integration.input.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { IntegrationStatusEnum, PlatformEnum } from './enums.ts';

@ObjectType({ description: 'Why an integration stands still.' })
class IntegrationError {
  @Field(() => String) code!: string;
  @Field(() => String) message!: string;
}

@ObjectType('Integration', { description: 'An agent attached to a chat platform. Its bot token is never shown.' })
class IntegrationType {
  @Field(() => ID) id!: string;
  @Field(() => PlatformEnum) platform!: PlatformKind;
  @Field(() => ID) agentId!: string;
  @Field(() => IntegrationStatusEnum) status!: IntegrationStatus;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'Only of chat_server.' })
  guildId!: string | null;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'Only of chat_workspace.' })
  workspaceId!: string | null;
  @AbsentWhenNull()
  @Field(() => [String], { nullable: true, description: 'Where it answers; not of chat_messenger.' })
  channelIds!: string[] | null;
  @Field(() => Boolean, { description: 'Whether it replies to every message, or only when it is addressed.' })
  autoRespond!: boolean;
  @Field(() => Int, { description: 'Messages of people that it took up, and its replies.' }) messageCount!: number;
  @Field(() => Date) connectedAt!: Date;
  @Field(() => Date, { nullable: true }) lastMessageAt!: Date | null;
  @GraphqlOnly()
  @Field(() => IntegrationError, { nullable: true, description: 'Set while the status is `error`.' })
  error!: IntegrationError | null;
}

@ObjectType({ description: 'All integrations of the caller, newest first.' })
class IntegrationList {
  @Field(() => [IntegrationType]) data!: IntegrationType[];
  @Field(() => Int) total!: number;
}

@ObjectType({ description: 'How the sending of a test message went.' })
class TestResult {
  @Field(() => Boolean) success!: boolean;
  @Field(() => Int) latencyMs!: number;
  @Field(() => String, { nullable: true, description: 'The platform’s id of the message; null when it failed.' })
  messageId!: string | null;
  @Field(() => Date, { nullable: true, description: 'null when it failed.' }) deliveredAt!: Date | null;
}

@ObjectType({ description: 'A tested integration.' })
class IntegrationTest {
  @Field(() => ID) id!: string;
  @Field(() => PlatformEnum) platform!: PlatformKind;
  @Field(() => IntegrationStatusEnum) status!: IntegrationStatus;
  @Field(() => TestResult) testResult!: TestResult;
}

@InputType()
@Rules(connectServerInput)
class ConnectServerInput {
  @Field(() => ID, { description: 'One of your agents.' }) agentId!: string;
  @Field(() => String, { description: 'Kept encrypted and never shown.' }) botToken!: string;
  @Field(() => String) guildId!: string;
  @Field(() => [String], { description: '1 to 100.' }) channelIds!: string[];
}

@InputType()
@Rules(connectMessengerInput)
class ConnectMessengerInput {
  @Field(() => ID, { description: 'One of your agents.' }) agentId!: string;
  @Field(() => String, { description: 'Kept encrypted and never shown.' }) botToken!: string;
}

@InputType()
@Rules(connectWorkspaceInput)
class ConnectWorkspaceInput {
  @Field(() => ID, { description: 'One of your agents.' }) agentId!: string;
  @Field(() => String, { description: 'Kept encrypted and never shown.' }) botToken!: string;
  @Field(() => String) workspaceId!: string;
  @Field(() => [String], { description: '1 to 100.' }) channelIds!: string[];
}

@InputType({ description: 'Only the fields present change.' })
@Rules(updateIntegrationInput)
class UpdateIntegrationInput {
  @Field(() => [String], { nullable: true, description: '1 to 100; ignored for chat_messenger.' })
  channelIds?: string[];
  @Field(() => Boolean, { nullable: true, description: 'true connects it, false disconnects it.' }) active?: boolean;
  @Field(() => Boolean, { nullable: true, description: 'true: reply to every message.' }) autoRespond?: boolean;
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
  @Query(() => IntegrationList, { description: 'The caller’s integrations.' })
  async integrations(@Ctx() ctx: GraphqlContext): Promise<IntegrationList> {
    const integrations = await listIntegrations(ctx);
    return { data: integrations.map(toIntegration), total: integrations.length };
  }

  @Access('integrations:read')
  @Query(() => IntegrationType, { description: 'One of the caller’s integrations.' })
  async integration(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<IntegrationType> {
    return toIntegration(await getIntegration(ctx, id));
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Attaches an agent to channels of a community server.' })
  async connectServer(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ConnectServerInput) input: ConnectServerInput,
  ): Promise<IntegrationType> {
    return toIntegration(await connectServer(ctx, input));
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Attaches an agent to a messenger bot.' })
  async connectMessenger(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ConnectMessengerInput) input: ConnectMessengerInput,
  ): Promise<IntegrationType> {
    return toIntegration(await connectMessenger(ctx, input));
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Attaches an agent to channels of a workspace.' })
  async connectWorkspace(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ConnectWorkspaceInput) input: ConnectWorkspaceInput,
  ): Promise<IntegrationType> {
    return toIntegration(await connectWorkspace(ctx, input));
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationType, { description: 'Changes an integration.' })
  async updateIntegration(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateIntegrationInput) input: UpdateIntegrationInput,
  ): Promise<IntegrationType> {
    return toIntegration(await updateIntegration(ctx, id, input));
  }

  @Access('integrations:write')
  @Mutation(() => Deletion, { description: 'Disconnects an integration and removes it. Its conversations stay.' })
  deleteIntegration(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<Deletion> {
    return deleteIntegration(ctx, id);
  }

  @Access('integrations:write')
  @Mutation(() => IntegrationTest, { description: 'Sends a test message through the platform and measures it.' })
  testIntegration(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<IntegrationTest> {
    return testIntegration(ctx, id);
  }
}

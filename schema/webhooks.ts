import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { catalog } from '../src/app/features.ts';
import type { EventType } from '../src/core/outbox.ts';
import type { HourCount } from '../src/webhooks/deliveries/stats-series.ts';
import type { DisabledReason, Webhook } from '../src/webhooks/webhook.entity.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../src/webhooks/webhooks.ts';
import { createWebhookInput, forbiddenPorts, updateWebhookInput } from '../src/webhooks/webhook.input.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, ListSize, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { WebhookEventTypeEnum } from './events.ts';

@ObjectType('WebhookHour', { description: 'Deliveries of a webhook that ended in one clock hour.' })
class WebhookHourType {
  @Field(() => Date, { description: 'Start of the hour.' }) start!: Date;
  @Field(() => Int, { description: 'Number of successful deliveries.' }) delivered!: number;
  @Field(() => Int, { description: 'Number of deliveries that failed after every retry.' }) failed!: number;
}

@ObjectType('Webhook', { description: 'An endpoint that receives signed HTTP notifications of events.' })
class WebhookType {
  @Field(() => ID, { description: 'Webhook ID (`wh_…`).' }) id!: string;
  @Field(() => String, { description: 'HTTPS URL of the endpoint.' }) url!: string;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'The owner’s description.' })
  description!: string | null;
  @Field(() => [WebhookEventTypeEnum], { description: 'Event types to deliver.' }) events!: EventType[];
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'Signing secret. It is returned only at creation and rotation.' })
  secret!: string | null;
  @Field(() => Boolean, { description: 'Whether events are delivered.' }) active!: boolean;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @GraphqlOnly()
  @Field(() => Date, { description: 'Time of the last change.' })
  updatedAt!: Date;
  @GraphqlOnly()
  @Field(() => String, {
    nullable: true,
    description: '`failures`, `gone` or `owner`; null while the webhook is active.',
  })
  disabledReason!: DisabledReason | null;
  @GraphqlOnly()
  @Field(() => Date, { nullable: true, description: 'Time when the webhook was disabled; null while it is active.' })
  disabledAt!: Date | null;
}

@ObjectType({ description: 'All of the caller’s webhooks, newest first.' })
class WebhookList {
  @Field(() => [WebhookType], { description: 'Webhooks.' }) data!: WebhookType[];
  @Field(() => Int, { description: 'Number of webhooks.' }) total!: number;
}

const allowedPorts = `Port 443, or from 1024 on except those of databases and caches (${[...forbiddenPorts].join(', ')}).`;

@InputType({ description: 'The endpoint and the events of a new webhook.' })
@Rules(createWebhookInput(catalog.eventTypes))
class CreateWebhookInput {
  @Field(() => String, {
    description: `HTTPS URL of the endpoint, at most 2,048 characters. ${allowedPorts}`,
  })
  url!: string;
  @Field(() => [WebhookEventTypeEnum], { description: 'One or more event types to deliver.' })
  events!: EventType[];
  @Field(() => String, {
    nullable: true,
    description:
      'Signing secret, 8 to 256 visible ASCII characters; generated if omitted. Standard Webhooks libraries expect `whsec_` followed by base64.',
  })
  secret?: string | null;
  @Field(() => String, { nullable: true, description: 'Description to identify it, at most 200 characters.' })
  description?: string | null;
}

@InputType({ description: 'Changes to a webhook. Omitted fields keep their value.' })
@Rules(updateWebhookInput(catalog.eventTypes))
class UpdateWebhookInput {
  @Field(() => String, {
    nullable: true,
    description: `HTTPS URL of the endpoint. A new URL enables a disabled webhook again. ${allowedPorts}`,
  })
  url?: string;
  @Field(() => [WebhookEventTypeEnum], { nullable: true, description: 'One or more event types to deliver.' })
  events?: EventType[];
  @Field(() => Boolean, { nullable: true, description: 'false disables the webhook; true enables it again.' })
  active?: boolean;
  @Field(() => String, { nullable: true, description: 'Description to identify it; null or an empty text removes it.' })
  description?: string | null;
}

const toWebhook = (webhook: Webhook, secret: string | null = null): WebhookType => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description ?? null,
  events: webhook.events,
  secret,
  active: webhook.active,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  disabledReason: webhook.disabledReason ?? null,
  disabledAt: webhook.disabledAt ?? null,
});

@Resolver(() => WebhookType)
export class WebhookResolver {
  @GraphqlOnly()
  @ListSize(24)
  @FieldResolver(() => [WebhookHourType], {
    description: 'Each of the last 24 clock hours in which deliveries ended, oldest first.',
  })
  hours(@Ctx() { loaders }: GraphqlContext, @Root() { id }: WebhookType): Promise<HourCount[]> {
    return loaders.webhookHours.load(id);
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookType, {
    description: 'Creates a webhook. Only this response and a rotation return the secret.',
  })
  async createWebhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateWebhookInput) input: CreateWebhookInput,
  ): Promise<WebhookType> {
    const { webhook, secret } = await createWebhook(ctx, input);
    return toWebhook(webhook, secret);
  }

  @Access('webhooks:read')
  @Query(() => WebhookList, { description: 'Lists the caller’s webhooks.' })
  async webhooks(@Ctx() ctx: GraphqlContext): Promise<WebhookList> {
    const { data, total } = await listWebhooks(ctx);
    return { data: data.map((webhook) => toWebhook(webhook)), total };
  }

  @Access('webhooks:read')
  @Query(() => WebhookType, { description: 'Returns one of the caller’s webhooks.' })
  async webhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Webhook ID.' }) id: string,
  ): Promise<WebhookType> {
    return toWebhook(await getWebhook(ctx, id));
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookType, { description: 'Updates a webhook or enables it again.' })
  async updateWebhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Webhook ID.' }) id: string,
    @Arg('input', () => UpdateWebhookInput) input: UpdateWebhookInput,
  ): Promise<WebhookType> {
    return toWebhook(await updateWebhook(ctx, id, input));
  }

  @Access('webhooks:write')
  @Mutation(() => Deletion, { description: 'Deletes a webhook and its deliveries.' })
  deleteWebhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Webhook ID.' }) id: string,
  ): Promise<Deletion> {
    return deleteWebhook(ctx, id);
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookType, {
    description: 'Replaces the secret. For 24 hours deliveries are signed with both secrets.',
  })
  async rotateWebhookSecret(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Webhook ID.' }) id: string,
  ): Promise<WebhookType> {
    const { webhook, secret } = await rotateWebhookSecret(ctx, id);
    return toWebhook(webhook, secret);
  }
}

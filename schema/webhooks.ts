import { Arg, Ctx, Field, Float, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { WebhookEventType } from '../src/webhooks/event-catalog.ts';
import { getWebhookStats } from '../src/webhooks/webhook-stats.ts';
import type { DisabledReason, Webhook } from '../src/webhooks/webhook.entity.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../src/webhooks/webhooks.ts';
import { createWebhookInput, updateWebhookInput } from '../src/webhooks/webhook.input.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { WebhookEventTypeEnum } from './enums.ts';

@ObjectType('Webhook', { description: 'An endpoint that gets signed HTTP notifications of events.' })
class WebhookType {
  @Field(() => ID) id!: string;
  @Field(() => String, { description: 'An https URL.' }) url!: string;
  @Field(() => [WebhookEventTypeEnum]) events!: WebhookEventType[];
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'Shown once: when it is made and when it is rotated.' })
  secret!: string | null;
  @Field(() => Boolean, { description: 'false: nothing is delivered.' }) active!: boolean;
  @Field(() => Date) createdAt!: Date;
  @GraphqlOnly()
  @Field(() => Date)
  updatedAt!: Date;
  @GraphqlOnly()
  @Field(() => String, { nullable: true, description: '`failures`, `gone` or `owner`; null while it is active.' })
  disabledReason!: DisabledReason | null;
  @GraphqlOnly()
  @Field(() => Date, { nullable: true })
  disabledAt!: Date | null;
}

@ObjectType({ description: 'All of the caller’s webhooks, newest first.' })
class WebhookList {
  @Field(() => [WebhookType]) data!: WebhookType[];
  @Field(() => Int) total!: number;
}

@ObjectType('WebhookStats', { description: 'How a webhook’s deliveries of the last 24 hours went.' })
class WebhookStatsType {
  @Field(() => ID) webhookId!: string;
  @Field(() => Date, { description: 'From here to now.' }) since!: Date;
  @Field(() => Int) pending!: number;
  @Field(() => Int) delivered!: number;
  @Field(() => Int) failed!: number;
  @Field(() => Int) skipped!: number;
  @Field(() => Int, { description: 'POSTs, retries included.' }) attempts!: number;
  @Field(() => Float, { nullable: true, description: 'Delivered among those delivered or failed, 0 to 1.' })
  successRate!: number | null;
  @Field(() => Int, { nullable: true }) medianDurationMs!: number | null;
  @Field(() => Int, { nullable: true }) p95DurationMs!: number | null;
  @Field(() => Date, { nullable: true }) lastDeliveredAt!: Date | null;
  @Field(() => Date, { nullable: true }) lastFailedAt!: Date | null;
  @Field(() => Int, { description: 'Failed attempts since the last success; at 100 the webhook is disabled.' })
  consecutiveFailures!: number;
}

@InputType()
@Rules(createWebhookInput)
class CreateWebhookInput {
  @Field(() => String, { description: 'An https URL of at most 2,048 characters.' }) url!: string;
  @Field(() => [WebhookEventTypeEnum], { description: 'At least one.' }) events!: WebhookEventType[];
  @Field(() => String, {
    nullable: true,
    description: '8 to 256 visible ASCII characters; generated when omitted.',
  })
  secret?: string | null;
}

@InputType({ description: 'Only the fields present change.' })
@Rules(updateWebhookInput)
class UpdateWebhookInput {
  @Field(() => String, { nullable: true, description: 'A new one enables a disabled webhook again.' }) url?: string;
  @Field(() => [WebhookEventTypeEnum], { nullable: true }) events?: WebhookEventType[];
  @Field(() => Boolean, { nullable: true, description: 'true enables a disabled webhook again.' }) active?: boolean;
}

const toWebhook = (webhook: Webhook, secret: string | null = null): WebhookType => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  secret,
  active: webhook.active,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  disabledReason: webhook.disabledReason ?? null,
  disabledAt: webhook.disabledAt ?? null,
});

@Resolver()
export class WebhookResolver {
  @Access('webhooks:write')
  @Mutation(() => WebhookType, { description: 'Makes a webhook. The answer is the only one that shows its secret.' })
  async createWebhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateWebhookInput) input: CreateWebhookInput,
  ): Promise<WebhookType> {
    const { webhook, secret } = await createWebhook(ctx, input);
    return toWebhook(webhook, secret);
  }

  @Access('webhooks:read')
  @Query(() => WebhookList, { description: 'The caller’s webhooks.' })
  async webhooks(@Ctx() ctx: GraphqlContext): Promise<WebhookList> {
    const { data, total } = await listWebhooks(ctx);
    return { data: data.map((webhook) => toWebhook(webhook)), total };
  }

  @Access('webhooks:read')
  @Query(() => WebhookType, { description: 'One of the caller’s webhooks.' })
  async webhook(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<WebhookType> {
    return toWebhook(await getWebhook(ctx, id));
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookType, { description: 'Changes a webhook, or enables it again.' })
  async updateWebhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateWebhookInput) input: UpdateWebhookInput,
  ): Promise<WebhookType> {
    return toWebhook(await updateWebhook(ctx, id, input));
  }

  @Access('webhooks:write')
  @Mutation(() => Deletion, { description: 'Deletes a webhook and what is known of its deliveries.' })
  deleteWebhook(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<Deletion> {
    return deleteWebhook(ctx, id);
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookType, { description: 'Makes a new secret; the old one still signs for 24 hours beside it.' })
  async rotateWebhookSecret(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<WebhookType> {
    const { webhook, secret } = await rotateWebhookSecret(ctx, id);
    return toWebhook(webhook, secret);
  }

  @Access('webhooks:read')
  @Query(() => WebhookStatsType, { description: 'How a webhook is doing.' })
  webhookStats(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<WebhookStatsType> {
    return getWebhookStats(ctx, id);
  }
}

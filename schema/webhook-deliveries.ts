import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { listDeliveries, recoverDeliveries, redeliver, sendTestEvent } from '../src/webhooks/deliveries.ts';
import type { AttemptFault, Delivery, DeliveryStatus } from '../src/webhooks/delivery.ts';
import type { WebhookEventType } from '../src/webhooks/event-catalog.ts';
import { recoverDeliveriesInput, testWebhookInput } from '../src/webhooks/webhook.input.ts';
import type { GraphqlContext } from './context.ts';
import { AfterArg, IsCounted, PageInfo } from './page-info.ts';
import { Access, GraphqlOnly, Rules } from './decorators.ts';
import { DeliveryStatusEnum, WebhookEventTypeEnum } from './enums.ts';

@ObjectType('WebhookAttempt', { description: 'One POST of a delivery.' })
class WebhookAttemptType {
  @Field(() => Date) startedAt!: Date;
  @Field(() => Int, { nullable: true, description: 'HTTP status; null when no answer came.' }) status!: number | null;
  @Field(() => Int, { nullable: true }) durationMs!: number | null;
  @Field(() => String, {
    nullable: true,
    description: '`unreachable`, `tls_error`, `connection_lost`, `timeout`, `interrupted` or `event_expired`.',
  })
  error!: AttemptFault | null;
  @Field(() => String, { nullable: true, description: 'The first 4 KB of the answer.' }) excerpt!: string | null;
}

@ObjectType('WebhookDelivery', { description: 'One event on its way to one webhook.' })
class WebhookDeliveryType {
  @Field(() => ID) id!: string;
  @Field(() => ID) eventId!: string;
  @Field(() => WebhookEventTypeEnum) eventType!: WebhookEventType;
  @Field(() => DeliveryStatusEnum) status!: DeliveryStatus;
  @Field(() => [WebhookAttemptType], { description: 'Oldest first.' }) attempts!: WebhookAttemptType[];
  @Field(() => Date, { nullable: true, description: 'null when nothing is to come, or it is on its way.' })
  nextAttemptAt!: Date | null;
  @Field(() => Date) createdAt!: Date;
}

@ObjectType({ description: 'One page of deliveries, newest first.' })
class WebhookDeliveryList {
  @Field(() => [WebhookDeliveryType]) data!: WebhookDeliveryType[];
  @Field(() => Int, { description: 'Deliveries in the whole list.' }) total!: number | null;
  @Field(() => Int) limit!: number;
  @Field(() => Int) offset!: number;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Where to go on.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'What is being sent again.' })
class Recovery {
  @Field(() => Int) recovered!: number;
}

@InputType()
@Rules(testWebhookInput)
class TestWebhookInput {
  @Field(() => WebhookEventTypeEnum, {
    nullable: true,
    description: 'Subscribed or not; the first subscribed one when omitted.',
  })
  eventType?: WebhookEventType | null;
}

@InputType()
@Rules(recoverDeliveriesInput)
class RecoverDeliveriesInput {
  @Field(() => Date, { description: 'Only deliveries of this time or later.' }) since!: Date;
}

const toDelivery = (delivery: Delivery): WebhookDeliveryType => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  status: delivery.status,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, startedAt: new Date(attempt.startedAt) })),
  nextAttemptAt: delivery.nextAttemptAt,
  createdAt: delivery.createdAt,
});

@Resolver()
export class WebhookDeliveryResolver {
  @Access('webhooks:read')
  @Query(() => WebhookDeliveryList, { description: 'What was sent, or is to be sent, to a webhook.' })
  async webhookDeliveries(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID) webhookId: string,
    @Arg('status', () => DeliveryStatusEnum, { nullable: true }) status?: DeliveryStatus,
    @Arg('eventType', () => WebhookEventTypeEnum, { nullable: true }) eventType?: WebhookEventType,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @AfterArg() after?: string,
    @IsCounted() counted?: boolean,
  ): Promise<WebhookDeliveryList> {
    const page = await listDeliveries(ctx, webhookId, { status, eventType, limit, offset, after, counted });
    return { ...page, data: page.data.map(toDelivery) };
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookDeliveryType, {
    description: 'Sends a delivery again, now, with the same event id and bytes.',
  })
  async redeliverWebhookDelivery(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID) webhookId: string,
    @Arg('deliveryId', () => ID) deliveryId: string,
  ): Promise<WebhookDeliveryType> {
    return toDelivery(await redeliver(ctx, webhookId, deliveryId));
  }

  @Access('webhooks:write')
  @Mutation(() => Recovery, { description: 'Sends everything again that failed or was skipped since a time.' })
  recoverWebhookDeliveries(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID) webhookId: string,
    @Arg('input', () => RecoverDeliveriesInput) input: RecoverDeliveriesInput,
  ): Promise<Recovery> {
    return recoverDeliveries(ctx, webhookId, input);
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookDeliveryType, { description: 'Sends an event with example data to this webhook alone.' })
  async testWebhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID) webhookId: string,
    @Arg('input', () => TestWebhookInput, { nullable: true }) input?: TestWebhookInput | null,
  ): Promise<WebhookDeliveryType> {
    return toDelivery(await sendTestEvent(ctx, webhookId, input));
  }
}

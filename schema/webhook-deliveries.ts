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
  Subscription,
} from 'type-graphql';
import { findDelivery, listDeliveries } from '../src/webhooks/deliveries/deliveries.ts';
import { followDeliveries } from '../src/webhooks/deliveries/follow-deliveries.ts';
import { sentRequest } from '../src/webhooks/deliveries/sent-request.ts';
import { recoverDeliveries, redeliver } from '../src/webhooks/deliveries/redeliver.ts';
import { sendTestEvent } from '../src/webhooks/deliveries/test-event.ts';
import type { AttemptFault, Delivery, DeliveryStatus } from '../src/webhooks/deliveries/delivery.ts';
import { catalog } from '../src/app/features.ts';
import type { EventType } from '../src/core/outbox.ts';
import { recoverDeliveriesInput, testWebhookInput } from '../src/webhooks/webhook.input.ts';
import type { GraphqlContext } from './context.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import { Access, GraphqlOnly, ListSize, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { AccountEventType, WebhookEventTypeEnum } from './events.ts';

const DeliveryStatusEnum = enumType<DeliveryStatus>('DeliveryStatus', 'Status of a delivery.', {
  pending: 'Waiting for its next attempt.',
  delivered: 'The endpoint accepted it.',
  failed: 'Every attempt failed.',
  skipped: 'It became due while the webhook was disabled.',
});

@ObjectType('WebhookAttempt', { description: 'One HTTP request of a delivery.' })
class WebhookAttemptType {
  @Field(() => Date, { description: 'Start of the attempt.' }) startedAt!: Date;
  @Field(() => Int, { nullable: true, description: 'HTTP status of the response; null if there was none.' }) status!:
    | number
    | null;
  @Field(() => Int, { nullable: true, description: 'Duration in milliseconds; null if unknown.' })
  durationMs!: number | null;
  @Field(() => String, {
    nullable: true,
    description:
      '`unreachable`, `connection_lost`, `timeout`, `interrupted`, `event_expired`, or a fault of TLS: `tls_certificate_expired`, `tls_certificate_not_yet_valid`, `tls_wrong_host`, `tls_self_signed`, `tls_incomplete_chain`, `tls_http2_only`, `tls_not_spoken` or `tls_error`. Null if there was a response.',
  })
  error!: AttemptFault | null;
  @Field(() => String, { nullable: true, description: 'First 4 KB of the response body.' }) excerpt!: string | null;
}

@ObjectType({ description: 'A header of a request.' })
class SentHeader {
  @Field(() => String, { description: 'Name in lower case.' }) name!: string;
  @Field(() => String, { description: 'Value.' }) value!: string;
}

@ObjectType({ description: 'The last request of a delivery, without its signatures.' })
class WebhookRequest {
  @ListSize(8)
  @Field(() => [SentHeader], { description: 'Headers, except the signatures.' })
  headers!: SentHeader[];
  @Field(() => String, { description: 'The bytes of the body, the same in every attempt.' }) body!: string;
}

@ObjectType('WebhookDelivery', { description: 'The delivery of one event to one webhook.' })
class WebhookDeliveryType {
  @Field(() => ID, { description: 'Delivery ID (`dlv_…`).' }) id!: string;
  @Field(() => ID, { description: 'Event ID (`evt_…`); the same for every attempt.' }) eventId!: string;
  @Field(() => WebhookEventTypeEnum, { description: 'Event type.' }) eventType!: EventType;
  @Field(() => DeliveryStatusEnum, { description: 'Delivery status.' }) status!: DeliveryStatus;
  @Field(() => [WebhookAttemptType], { description: 'Attempts so far, oldest first.' }) attempts!: WebhookAttemptType[];
  @Field(() => Date, {
    nullable: true,
    description: 'Time of the next attempt; null if none is scheduled or one is running.',
  })
  nextAttemptAt!: Date | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of deliveries, newest first.' })
class WebhookDeliveryList extends pageOf(
  'deliveries',
  WebhookDeliveryType,
  'Number of deliveries in the whole list, at most 10,000.',
) {}

@ObjectType({ description: 'The result of a recovery.' })
class Recovery {
  @Field(() => Int, { description: 'Number of deliveries that will be resent, at most 20,000.' }) recovered!: number;
  @Field(() => Date, {
    nullable: true,
    description: 'The `since` for the next request; null if no deliveries are left.',
  })
  nextSince!: Date | null;
}

@InputType({ description: 'The event to send.' })
@Rules(testWebhookInput(catalog.eventTypes))
class TestWebhookInput {
  @Field(() => WebhookEventTypeEnum, {
    nullable: true,
    description: 'Event type, subscribed or not. Defaults to the first subscribed one.',
  })
  eventType?: EventType | null;
}

@InputType({ description: 'The deliveries to resend.' })
@Rules(recoverDeliveriesInput)
class RecoverDeliveriesInput {
  @Field(() => Date, { description: 'Only deliveries created at or after this time.' }) since!: Date;
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

@Resolver(() => WebhookDeliveryType)
export class WebhookDeliveryResolver {
  @GraphqlOnly()
  @FieldResolver(() => AccountEventType, { nullable: true, description: 'The event; null once it has expired.' })
  event(
    @Ctx() { loaders }: GraphqlContext,
    @Root() { eventId }: WebhookDeliveryType,
  ): Promise<AccountEventType | null> {
    return loaders.deliveredEvent.load(eventId);
  }

  @GraphqlOnly()
  @FieldResolver(() => WebhookRequest, {
    nullable: true,
    description: 'The last request; null before the first one, and once the event has expired.',
  })
  async request(
    @Ctx() { loaders }: GraphqlContext,
    @Root() delivery: WebhookDeliveryType,
  ): Promise<WebhookRequest | null> {
    const event = await loaders.deliveredEvent.load(delivery.eventId);
    return event && sentRequest(delivery, event);
  }

  @Access('webhooks:read')
  @Query(() => WebhookDeliveryType, { description: 'Returns one delivery of a webhook.' })
  async webhookDelivery(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID, { description: 'Webhook ID.' }) webhookId: string,
    @Arg('id', () => ID, { description: 'Delivery ID.' }) id: string,
  ): Promise<WebhookDeliveryType> {
    return toDelivery(await findDelivery(ctx, webhookId, id));
  }

  @Access('webhooks:read')
  @Subscription(() => WebhookDeliveryType, {
    description:
      'Streams the newest delivery of a webhook, then new and changed deliveries: the newest 100, and pending ones. Short-lived states may be skipped.',
    subscribe: ({ args, context }) => {
      const ctx = context as GraphqlContext;
      return followDeliveries(ctx, (args as { webhookId: string }).webhookId, ctx.leftSignal());
    },
  })
  webhookDeliveryUpdates(
    @Ctx() ctx: GraphqlContext,
    @Root() delivery: Delivery,
    @Arg('webhookId', () => ID, { description: 'Webhook ID.' }) _webhookId: string,
  ): WebhookDeliveryType {
    // The cache of the loader lives as long as the stream, during which the event may be purged.
    ctx.loaders.deliveredEvent.clear(delivery.eventId);
    return toDelivery(delivery);
  }

  @Access('webhooks:read')
  @Query(() => WebhookDeliveryList, { description: 'Lists the deliveries of a webhook, newest first.' })
  async webhookDeliveries(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID, { description: 'Webhook ID.' }) webhookId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('status', () => DeliveryStatusEnum, { nullable: true, description: 'Only deliveries with this status.' })
    status?: DeliveryStatus,
    @Arg('eventType', () => WebhookEventTypeEnum, {
      nullable: true,
      description: 'Only deliveries of this event type.',
    })
    eventType?: EventType,
    @Arg('since', () => Date, { nullable: true, description: 'Only deliveries created at or after this time.' })
    since?: Date | null,
    @Arg('until', () => Date, { nullable: true, description: 'Only deliveries created before this time.' })
    until?: Date | null,
  ): Promise<WebhookDeliveryList> {
    const page = await listDeliveries(ctx, webhookId, { status, eventType, since, until, ...paging, counted });
    return { ...page, data: page.data.map(toDelivery) };
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookDeliveryType, {
    description: 'Resends a delivery immediately, with the same event ID and body.',
  })
  async redeliverWebhookDelivery(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID, { description: 'Webhook ID.' }) webhookId: string,
    @Arg('deliveryId', () => ID, { description: 'Delivery ID.' }) deliveryId: string,
  ): Promise<WebhookDeliveryType> {
    return toDelivery(await redeliver(ctx, webhookId, deliveryId));
  }

  @Access('webhooks:write')
  @Mutation(() => Recovery, {
    description: 'Resends deliveries that failed or were skipped since a given time, the oldest 20,000 per request.',
  })
  recoverWebhookDeliveries(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID, { description: 'Webhook ID.' }) webhookId: string,
    @Arg('input', () => RecoverDeliveriesInput) input: RecoverDeliveriesInput,
  ): Promise<Recovery> {
    return recoverDeliveries(ctx, webhookId, input);
  }

  @Access('webhooks:write')
  @Mutation(() => WebhookDeliveryType, { description: 'Sends an event with example data to one webhook.' })
  async testWebhook(
    @Ctx() ctx: GraphqlContext,
    @Arg('webhookId', () => ID, { description: 'Webhook ID.' }) webhookId: string,
    @Arg('input', () => TestWebhookInput, { nullable: true }) input?: TestWebhookInput | null,
  ): Promise<WebhookDeliveryType> {
    return toDelivery(await sendTestEvent(ctx, webhookId, input));
  }
}

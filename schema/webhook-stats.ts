import { Arg, Ctx, Field, FieldResolver, Float, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { readStatsSeries, type StatsBucket, type StatsPoint } from '../src/webhooks/deliveries/stats-series.ts';
import { getWebhookStats } from '../src/webhooks/deliveries/webhook-stats.ts';
import type { GraphqlContext } from './context.ts';
import { Access, GraphqlOnly, ListSize } from './decorators.ts';
import { enumType } from './enum-type.ts';

const StatsBucketEnum = enumType<StatsBucket>('StatsBucket', 'Interval of a series.', {
  hour: 'Clock hours, at most 168.',
  day: 'Days in UTC, at most 31.',
});

@ObjectType({ description: 'Delivery statistics of one hour or day.' })
class WebhookStatsPoint {
  @Field(() => Date, { description: 'Start of the hour or day.' }) start!: Date;
  @Field(() => Int, { description: 'Number of successful deliveries.' }) delivered!: number;
  @Field(() => Int, { description: 'Number of deliveries that failed after every retry.' }) failed!: number;
  @Field(() => Int, { description: 'Number of deliveries that became due while the webhook was disabled.' })
  skipped!: number;
  @Field(() => Int, { description: 'Number of HTTP requests, including retries.' }) attempts!: number;
  @Field(() => Int, { description: 'Number of HTTP requests without a successful response, including retries.' })
  failedAttempts!: number;
  @Field(() => Int, {
    nullable: true,
    description:
      '95th percentile of the last attempts of its newest 100 deliveries, in milliseconds; null without attempts.',
  })
  p95DurationMs!: number | null;
}

@ObjectType('WebhookStats', { description: 'Delivery statistics of a webhook for the last 24 hours.' })
class WebhookStatsType {
  @Field(() => ID, { description: 'Webhook ID (`wh_…`).' }) webhookId!: string;
  @Field(() => Date, { description: 'Start of the first of 24 clock hours, including the current one.' }) since!: Date;
  @Field(() => Int, { description: 'Number of deliveries that are waiting for an attempt, at most 10,000.' })
  pending!: number;
  @Field(() => Int, { description: 'Number of successful deliveries.' }) delivered!: number;
  @Field(() => Int, { description: 'Number of deliveries that failed after every retry.' }) failed!: number;
  @Field(() => Int, { description: 'Number of deliveries that became due while the webhook was disabled.' })
  skipped!: number;
  @Field(() => Int, { description: 'Number of HTTP requests, including retries.' }) attempts!: number;
  @Field(() => Int, { description: 'Number of HTTP requests without a successful response, including retries.' })
  failedAttempts!: number;
  @Field(() => Float, {
    nullable: true,
    description: 'Share of successes among finished deliveries, 0 to 1; null without finished deliveries.',
  })
  successRate!: number | null;
  @Field(() => Int, {
    nullable: true,
    description:
      'Median duration of the last attempts of the newest 1,000 deliveries, in milliseconds; null without attempts.',
  })
  medianDurationMs!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: '95th percentile of the same durations, in milliseconds; null without attempts.',
  })
  p95DurationMs!: number | null;
  @Field(() => Date, { nullable: true, description: 'Time of the last successful delivery; null if there was none.' })
  lastDeliveredAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Time of the last failed attempt; null if there was none.' })
  lastFailedAt!: Date | null;
  @Field(() => Int, {
    description: 'Consecutive failed attempts since the last success. At 100 the webhook is disabled.',
  })
  consecutiveFailures!: number;
}

@Resolver(() => WebhookStatsType)
export class WebhookStatsResolver {
  @Access('webhooks:read')
  @Query(() => WebhookStatsType, { description: 'Returns the delivery statistics of a webhook.' })
  webhookStats(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Webhook ID.' }) id: string,
  ): Promise<WebhookStatsType> {
    return getWebhookStats(ctx, id);
  }

  @GraphqlOnly()
  @ListSize(168)
  @FieldResolver(() => [WebhookStatsPoint], {
    description: 'Statistics over time, oldest first, including the current hour or day.',
  })
  series(
    @Ctx() ctx: GraphqlContext,
    @Root() { webhookId }: WebhookStatsType,
    @Arg('since', () => Date, {
      nullable: true,
      description: 'A time in the first interval. Defaults to 24 hours or 30 days ago.',
    })
    since?: Date | null,
    @Arg('bucket', () => StatsBucketEnum, { nullable: true, description: 'Interval of the series. Defaults to hours.' })
    bucket?: StatsBucket | null,
  ): Promise<StatsPoint[]> {
    return readStatsSeries(ctx, webhookId, { since, bucket });
  }
}

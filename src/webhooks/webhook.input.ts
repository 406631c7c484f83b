import { z } from 'zod';
import { httpsUrl } from '../core/input.ts';
import { name } from '../core/text/text-input.ts';
import { pageInput } from '../core/pagination.ts';
import { deliveryStatuses } from './deliveries/delivery.ts';
import type { EventType } from '../core/outbox.ts';

/** Ports of databases and caches, where an unexpected request could do harm. */
export const forbiddenPorts: ReadonlySet<number> = new Set([
  1433, 1521, 3306, 5432, 5984, 6379, 9042, 9200, 11211, 27017,
]);

const webhookUrl = httpsUrl().superRefine((value, ctx) => {
  if (!URL.canParse(value)) return;
  const number = Number(new URL(value).port || 443);
  if ((number < 1024 && number !== 443) || forbiddenPorts.has(number))
    ctx.addIssue({ code: 'custom', message: `must not use port ${number}`, params: { code: 'port_forbidden' } });
});

const eventList = (types: readonly EventType[]) =>
  z
    .array(z.enum(types))
    .min(1)
    .max(100)
    .transform((list) => [...new Set(list)]);

const secret = z.string().superRefine((value, ctx) => {
  if (value.length < 8 || value.length > 256)
    ctx.addIssue({ code: 'custom', message: 'must have 8 to 256 characters', params: { code: 'invalid_length' } });
  if (!/^[\x21-\x7e]*$/.test(value))
    ctx.addIssue({
      code: 'custom',
      message: 'must consist of visible ASCII characters',
      params: { code: 'invalid_character' },
    });
});

const description = name({ min: 0, max: 200 }).transform((text) => text || null);

/** Input of a new webhook. In these schemas, `types` are the event types of all features. */
export const createWebhookInput = (types: readonly EventType[]) =>
  z.object({ url: webhookUrl, events: eventList(types), secret: secret.nullish(), description: description.nullish() });

/** Changes to a webhook. Omitted fields stay unchanged. */
export const updateWebhookInput = (types: readonly EventType[]) =>
  z
    .object({ url: webhookUrl, events: eventList(types), active: z.boolean(), description: description.nullable() })
    .partial();

export const listDeliveriesInput = (types: readonly EventType[]) =>
  pageInput().extend({
    status: z.enum(deliveryStatuses).nullish(),
    eventType: z.enum(types).nullish(),
    since: z.date().nullish(),
    until: z.date().nullish(),
  });

export const testWebhookInput = (types: readonly EventType[]) =>
  z.object({ eventType: z.enum(types).nullish() }).default({});

export const recoverDeliveriesInput = z.object({ since: z.date() });

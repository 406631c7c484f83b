import { z } from 'zod';
import { httpsUrl } from '../core/input.ts';
import { pageInput } from '../core/pagination.ts';
import { deliveryStatuses } from './delivery.ts';
import { webhookEventTypes } from './event-catalog.ts';

/** Where no webhook listens, and where a stranger's request could do harm. */
const forbiddenPorts = new Set([1433, 1521, 3306, 5432, 5984, 6379, 9042, 9200, 11211, 27017]);

const webhookUrl = httpsUrl().superRefine((value, ctx) => {
  if (!URL.canParse(value)) return;
  const number = Number(new URL(value).port || 443);
  if ((number < 1024 && number !== 443) || forbiddenPorts.has(number))
    ctx.addIssue({ code: 'custom', message: `must not use port ${number}`, params: { code: 'port_forbidden' } });
});

const events = z
  .array(z.enum(webhookEventTypes))
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)]);

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

export const createWebhookInput = z.object({ url: webhookUrl, events, secret: secret.nullish() });

/** Only the fields present change. */
export const updateWebhookInput = z.object({ url: webhookUrl, events, active: z.boolean() }).partial();

export const listDeliveriesInput = pageInput().extend({
  status: z.enum(deliveryStatuses).nullish(),
  eventType: z.enum(webhookEventTypes).nullish(),
});

export const testWebhookInput = z.object({ eventType: z.enum(webhookEventTypes).nullish() }).default({});

export const recoverDeliveriesInput = z.object({ since: z.date() });

import { toWire } from '../src/core/wire.ts';
import { eventCatalog, type WebhookEventType, webhookEventTypes } from '../src/webhooks/event-catalog.ts';

const exampleId = 'evt_019bc0de-0000-7000-8000-00000000000a';
const exampleTime = '2026-01-15T09:31:12.345Z';

/** The page of all events, an example of each, in Markdown: rest/events.md, and /docs/events. */
export const eventsPage = (): string =>
  [
    '# Events',
    '',
    'Made from the table of events in `src/webhooks/event-catalog.ts` by `npm run emit`.',
    '',
    'Every event is an envelope of `id` (use it to drop duplicates), `type`, `created_at` and `data`. Webhooks get it as',
    'the body of a signed POST; the GraphQL subscription `events` gives the same to internal front ends. `sequence` in',
    '`data` grows with each event of the same agent, conversation (its messages included), integration or subscription;',
    'deliveries may arrive in another order.',
    '',
    '| type | when |',
    '| --- | --- |',
    ...webhookEventTypes.map(
      (type) => `| [\`${type}\`](#${type.replace('.', '')}) | ${eventCatalog[type].description} |`,
    ),
    '',
    ...webhookEventTypes.flatMap((type) => [
      `## ${type}`,
      '',
      eventCatalog[type].description,
      '',
      '```json',
      JSON.stringify(exampleEvent(type), null, 2),
      '```',
      '',
    ]),
  ].join('\n');

/** An event as it is delivered. */
export const exampleEvent = (
  type: WebhookEventType,
): { id: string; type: WebhookEventType; created_at: string; data: object } => ({
  id: exampleId,
  type,
  created_at: exampleTime,
  data: toWire(eventCatalog[type].example) as object,
});

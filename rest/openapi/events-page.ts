import { toWire } from '../../src/core/wire.ts';
import { catalog } from '../../src/app/features.ts';
import type { EventType } from '../../src/core/outbox.ts';

const exampleId = 'evt_019bc0de-0000-7000-8000-00000000000a';
const exampleTime = '2026-01-15T09:31:12.345Z';

/** Returns the event reference in Markdown, with an example of each type: rest/openapi/events.md, and /docs/events. */
export const eventsPage = (): string =>
  [
    '# Events',
    '',
    'Generated from the events of the features (`src/*/*.feature.ts`) by `npm run emit`.',
    '',
    'An event has an `id` (use it to drop duplicates), a `type`, `created_at` and `data`. Webhooks receive it as the body of',
    'a signed POST, front ends through the GraphQL subscription `events`. `sequence` in `data` grows with each event of the',
    'same agent, conversation (its messages included), integration or subscription; deliveries may arrive in another order.',
    '',
    '| Type | Sent when |',
    '| --- | --- |',
    ...catalog.eventTypes.map(
      (type) => `| [\`${type}\`](#${type.replace('.', '')}) | ${catalog.events[type].description} |`,
    ),
    '',
    ...catalog.eventTypes.flatMap((type) => [
      `## ${type}`,
      '',
      catalog.events[type].description,
      '',
      '```json',
      JSON.stringify(exampleEvent(type), null, 2),
      '```',
      '',
    ]),
  ].join('\n');

/** Returns an event as it is delivered. */
export const exampleEvent = (type: EventType): { id: string; type: EventType; created_at: string; data: object } => ({
  id: exampleId,
  type,
  created_at: exampleTime,
  data: toWire(catalog.events[type].example) as object,
});

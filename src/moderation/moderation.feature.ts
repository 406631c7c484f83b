import type { Feature } from '../core/feature.ts';
import { type CheckPayload, checkSubject } from './check-content.ts';
import { Decision } from './decision.entity.ts';
import { moderationEvents } from './moderation.events.ts';
import { moderationExport } from './moderation.export.ts';
import { moderationExpiries, purgeModeration } from './moderation.purge.ts';
import { moderationSettings } from './moderation.settings.ts';
import { ModerationCase } from './moderation-case.entity.ts';
import { Report } from './report.entity.ts';
import { requireUnrestricted } from './restrictions.ts';
import { Restriction } from './restriction.entity.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    rep_: 'report';
    dec_: 'decision';
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'moderation.check': CheckPayload;
  }
}

export const moderation: Feature = {
  name: 'moderation',
  settings: moderationSettings,
  entities: [Report, ModerationCase, Decision, Restriction],
  idPrefixes: { report: 'rep_', decision: 'dec_' },
  events: moderationEvents,
  jobs: [
    {
      // Retried until the provider responds, so that content published during an outage is checked too.
      kind: 'moderation.check',
      concurrency: 4,
      timeoutMs: 60_000,
      retryDelaysSeconds: [5, 30, 300],
      handle: checkSubject,
    },
  ],
  beforeProfileChange: [requireUnrestricted],
  expiries: moderationExpiries,
  purge: [purgeModeration],
  exportSections: moderationExport,
};

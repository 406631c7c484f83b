import type { EntityClass } from '@mikro-orm/postgresql';
import type { Plan, Scope } from './actor.ts';
import type { Settings } from './config/settings.ts';
import type { EncryptedColumn } from './database/re-encrypt.ts';
import type {
  ExportFiles,
  ExportSection,
  GaugeGroup,
  Expiry,
  Feature,
  PlanLimits,
  PurgeStep,
  RestoreStep,
} from './feature.ts';
import type { EventEntries, EventType } from './outbox.ts';
import type { FeatureJob } from './tasks/job.ts';

declare module './ctx.ts' {
  interface Ctx {
    catalog: Catalog;
  }
}

/** The declarations of all features, merged into one list for each kind, in the order of the features. */
export interface Catalog {
  features: readonly Feature[];
  settings: readonly Settings[];
  entities: readonly EntityClass[];
  scopes: readonly Scope[];
  eventTypes: readonly EventType[];
  events: EventEntries;
  planLimits: Readonly<Record<keyof PlanLimits, Readonly<Record<Plan, number>>>>;
  jobs: readonly FeatureJob[];
  encryptedColumns: readonly EncryptedColumn[];
  expiries: readonly Expiry[];
  purgeSteps: readonly PurgeStep[];
  exportSections: readonly ExportSection[];
  exportFiles: readonly ExportFiles[];
  gauges: readonly GaugeGroup[];
  restoreSteps: readonly RestoreStep[];
}

export function createCatalog(features: readonly Feature[]): Catalog {
  const events = Object.assign({}, ...features.map((feature) => feature.events)) as EventEntries;
  return Object.freeze({
    features,
    settings: features.flatMap((feature) => feature.settings ?? []),
    entities: features.flatMap((feature) => feature.entities ?? []),
    scopes: features.flatMap((feature) => feature.scopes ?? []),
    eventTypes: Object.keys(events) as EventType[],
    events,
    planLimits: Object.assign({}, ...features.map((feature) => feature.planLimits)) as Catalog['planLimits'],
    jobs: features.flatMap((feature) => feature.jobs ?? []),
    encryptedColumns: features.flatMap((feature) => feature.encryptedColumns ?? []),
    expiries: features.flatMap((feature) => feature.expiries ?? []),
    purgeSteps: features.flatMap((feature) => feature.purge ?? []),
    exportSections: features.flatMap((feature) => feature.exportSections ?? []),
    exportFiles: features.flatMap((feature) => feature.exportFiles ?? []),
    gauges: features.flatMap((feature) => feature.gauges ?? []),
    restoreSteps: features.flatMap((feature) => feature.restore ?? []),
  });
}

import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { registerRest } from '../../rest/register.ts';
import type { Actor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import type { DatabaseClock } from '../core/database/database-clock.ts';
import type { RateLimits } from '../core/http/rate-limits.ts';
import type { Telemetry } from '../core/process/telemetry.ts';
import type { SimulatedPlatforms } from '../integrations/simulation.ts';
import { registerDevClock } from './dev/clock.ts';
import { registerDevMail } from './dev/mail.ts';
import { registerDevPlatforms } from './dev/platforms.ts';
import { type ProcessorPage, registerDevProcessor } from './dev/processor.ts';
import { registerConsole, widgetFolder } from './console/console.ts';
import { registerDevEmbed } from './dev/embed.ts';
import { registerEmbedPages } from './embeds/pages.ts';
import { registerDocs } from './docs/reference.ts';
import { registerExportDownload } from './export-download.ts';
import { createFastifyApp } from './fastify-app.ts';
import { createGate } from './gate.ts';
import { registerEmbedVisitors } from './embeds/visitors.ts';
import { registerGraphql } from './graphql.ts';
import { registerGuide } from './docs/guides.ts';
import { type HealthChecks, type HealthNotes, registerHealth } from './monitoring/health.ts';
import { registerImages } from './images.ts';
import { createMetrics, registerMetrics } from './monitoring/metrics.ts';
import { refuseOtherPages } from './own-pages.ts';
import { registerPlatformEvents } from './inbound/platform-events.ts';
import { registerProcessorEvents } from './inbound/processor-events.ts';
import { registerPublicPages } from './console/public-pages.ts';
import { requestContext } from './request-context.ts';
import { registerRobots } from './console/robots.ts';
import { registerSession } from './console/session.ts';
import { registerSockets } from './sockets/sockets.ts';

export interface ServerOptions {
  schema: GraphQLSchema;
  /** Returns a new Ctx for one request. */
  newCtx: (actor: Actor, requestId: string) => Ctx;
  rateLimits: RateLimits;
  /** Health checks by dependency. Each rejects when its dependency does not respond. */
  health: { checks: HealthChecks; notes: HealthNotes };
  /** Clock that can be moved in the embedded profile; null when a test uses its own clock. */
  movableClock: DatabaseClock | null;
  /** Handler for the pages of the payment simulator; null when it does not run. */
  processorPage: ProcessorPage | null;
  /** Returns true once the service shuts down. */
  isDraining: () => boolean;
  /** Simulated chat platforms; null when the platforms are real. */
  simulatedPlatforms: SimulatedPlatforms | null;
  telemetry?: Telemetry;
  /** Folder of the built console. When omitted, no pages are served. */
  consoleFolder?: string | undefined;
}

/**
 * Creates the HTTP server: REST, GraphQL, documentation and operations behind one credential check and one rate limit.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { schema, newCtx, rateLimits, isDraining, telemetry } = options;
  const newSystemCtx = (requestId: string) => newCtx({ kind: 'system' }, requestId);
  const system = newSystemCtx('server');
  const { config, log } = system;
  const consoleFolder = config.role === 'worker' ? undefined : options.consoleFolder;
  const app = createFastifyApp({ config, log, isDraining, hasConsole: consoleFolder !== undefined });
  telemetry?.observeServer(app);
  const context = requestContext(newCtx, rateLimits);
  const gate = createGate(system, rateLimits);

  registerHealth(app, options.health, isDraining);
  const metrics = createMetrics(app, () => newSystemCtx('metrics'));
  registerMetrics(app, metrics);
  telemetry?.observeFigures(metrics);

  const projection = await registerRest(app, { ...gate, schema, context });
  registerGraphql(app, { schema, gate, context, system });
  registerDocs(app, projection);
  registerGuide(app);
  registerRobots(app);
  registerExportDownload(app, { newCtx, admit: gate.admit });
  registerImages(app, { newCtx, rateLimits });
  registerEmbedVisitors(app, { newCtx, rateLimits });
  await registerProcessorEvents(app, newCtx);
  await registerPlatformEvents(app, newSystemCtx);

  await app.register(async (local) => {
    refuseOtherPages(local, config.publicUrl);
    if (config.profile === 'embedded') {
      registerDevMail(local, () => newSystemCtx('dev'));
      registerDevEmbed(local, newSystemCtx);
      if (options.movableClock) registerDevClock(local, newSystemCtx, options.movableClock);
    }
    if (options.simulatedPlatforms) registerDevPlatforms(local, newSystemCtx, options.simulatedPlatforms);
  });
  if (options.processorPage) await registerDevProcessor(app, options.processorPage);
  if (config.role !== 'worker') registerSession(app, { newCtx, admit: gate.admit });
  if (config.role !== 'worker') registerSockets(app, { schema, newCtx, rateLimits, isDraining });
  if (consoleFolder !== undefined) {
    await registerEmbedPages(app, { newCtx, rateLimits, folder: widgetFolder(consoleFolder) });
    await registerPublicPages(app, { newCtx, rateLimits, folder: consoleFolder });
    await registerConsole(app, consoleFolder);
  }
  return app;
}

import { Gauge, type Registry } from 'prom-client';
import type { Ctx } from '../../core/ctx.ts';
import type { GaugeGroup } from '../../core/feature.ts';
import { describeError } from '../../core/tasks/task-errors.ts';

/** Limits the database load of several scrapers, or of one that scrapes often. */
const readAtMostEveryMs = 1_000;

/**
 * Registers the gauges of all features. Returns a function that refreshes them. They are absent while the database does
 * not respond, because a missing value is better than a stale one.
 */
export function createServiceGauges(
  registry: Registry,
  groups: readonly GaugeGroup[],
  newCtx: () => Ctx,
): () => Promise<void> {
  const gauges = new Map(
    groups.flatMap((group) =>
      Object.entries(group.gauges).map(([name, { help, labels = [] }]) => [
        name,
        new Gauge({ name, help, labelNames: labels, registers: [registry] }),
      ]),
    ),
  );
  const isLabelled = (name: string) => groups.some((group) => group.gauges[name]?.labels);

  async function read(ctx: Ctx): Promise<void> {
    const samples = [];
    for (const group of groups) samples.push(...(await group.read(ctx)));
    clear();
    for (const { name, labels = {}, value } of samples) gauges.get(name)?.set(labels, value);
  }

  function clear(): void {
    for (const [name, gauge] of gauges) {
      // Resetting a gauge without labels would report zero.
      if (isLabelled(name)) gauge.reset();
      else gauge.remove();
    }
  }

  let last = { at: -Infinity, done: Promise.resolve() };
  return () => {
    if (performance.now() - last.at < readAtMostEveryMs) return last.done;
    const ctx = newCtx();
    // OpenTelemetry reads once more after shutdown.
    if (ctx.pool.ended) return Promise.resolve(clear());
    const done = read(ctx).catch((error: unknown) => {
      clear();
      ctx.log.warn({ error: describeError(error) }, 'could not read the gauges from the database');
    });
    last = { at: performance.now(), done };
    return done;
  };
}

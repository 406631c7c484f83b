import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Ctx } from '../../core/ctx.ts';
import { observePoolWaits } from '../../core/database/sessions.ts';

/** Registers metrics of this process's database connections. */
export function registerDatabaseMetrics(registry: Registry, newCtx: () => Ctx): void {
  const size: Gauge = new Gauge({
    name: 'database_pool_size',
    help: 'Maximum number of connections in this instance’s pool.',
    registers: [registry],
    collect: () => size.set(newCtx().pool.options.max),
  });
  const connections: Gauge<'state'> = new Gauge({
    name: 'database_pool_connections',
    help: 'Connections in this instance’s pool.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      const { pool } = newCtx();
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'database_pool_waiting',
    help: 'Operations of this instance that are waiting for a PostgreSQL connection.',
    registers: [registry],
    collect: () => waiting.set(newCtx().pool.waitingCount),
  });
  const waits = new Histogram({
    name: 'database_pool_wait_seconds',
    help: 'Time that operations of this instance waited for a connection when none was idle.',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2],
    registers: [registry],
  });
  observePoolWaits(newCtx().pool, (seconds) => waits.observe(seconds));
  const sessions: Gauge<'use'> = new Gauge({
    name: 'database_sessions',
    help: 'Database sessions of this instance outside its pool, by use.',
    labelNames: ['use'],
    registers: [registry],
    collect: () => {
      for (const [use, count] of newCtx().ports.sessions.open) sessions.set({ use }, count);
    },
  });
}

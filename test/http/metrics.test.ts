import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { limitsTime } from '../support/wall-clock.ts';

let app: TestApp;

// A web instance processes no tasks, so the rows of this test stay in the queues.
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'web' } });
});
afterAll(() => app.close());

const scrape = async (): Promise<string> => String((await app.call('GET', '/metrics')).body);
const value = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

describe('the queues in /metrics', () => {
  test('are counted by kind and state, with the age of the oldest due entry', limitsTime, async () => {
    const ada = await app.signUp();
    await app.db.query(`
      insert into tasks (kind, payload, run_at, max_attempts, created_at, state, lease_token, lease_expires_at, finished_at)
      select 'test.kind', '{}', now() + make_interval(secs => due), 5, now(), state, lease, lease_until, finished
      from (values
        (-90, 'pending', null, null::timestamptz, null::timestamptz),
        (-5, 'pending', null, null, null),
        (60, 'pending', null, null, null),
        (-60, 'running', 'held', now() + interval '10 s', null),
        (-60, 'running', 'of a dead one', now() - interval '30 s', null),
        (-60, 'failed', null, null, now())
      ) as t (due, state, lease, lease_until, finished)`);
    await app.db.query(
      `insert into outbox_events (id, account_id, type, data, created_at)
       values ('evt_1', $1, 'agent.created', '{}', now() - interval '20 s')`,
      [ada.id],
    );
    await app.db.query(
      `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
       values ('wh_1', $1, 'https://a.example', '{agent.created}', '', now(), now())`,
      [ada.id],
    );
    await app.db.query(`
      insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, lease_token, lease_expires_at)
      values ('dlv_1', 'wh_1', 'evt_1', 'agent.created', 'pending', now() - interval '40 s', now(), null, null),
        ('dlv_2', 'wh_1', 'evt_1', 'agent.created', 'pending', now() - interval '50 s', now(), 'held', now() + interval '9 s'),
        ('dlv_3', 'wh_1', 'evt_1', 'agent.created', 'pending', now() + interval '9 s', now(), null, null)`);
    const text = await eventually(
      async () => {
        const seen = await scrape();
        return seen.includes('kind="test.kind"') ? seen : null;
      },
      { what: 'the metrics' },
    );
    const tasks = (state: string) => value(text, `tasks{kind="test.kind",state="${state}"}`);
    expect([tasks('due'), tasks('waiting'), tasks('running'), tasks('failed')]).toEqual([3, 1, 1, 1]);
    expect(value(text, 'tasks_last_failure_timestamp_seconds{kind="test.kind"}')).toBeCloseTo(Date.now() / 1_000, -2);
    expect(value(text, 'tasks_oldest_due_age_seconds{kind="test.kind"}')).toBeCloseTo(90, -1);
    expect(value(text, 'outbox_events_undispatched')).toBeGreaterThanOrEqual(1);
    expect(value(text, 'outbox_oldest_undispatched_age_seconds')).toBeCloseTo(20, -1);
    expect(value(text, 'webhook_deliveries_due')).toBe(1);
    expect(value(text, 'webhook_deliveries_oldest_due_age_seconds')).toBeCloseTo(40, -1);
    expect(value(text, 'instances_alive')).toBe(1);
  });

  test('are absent while they cannot be read, without affecting other metrics', async () => {
    await app.db.query('alter table tasks rename to tasks_elsewhere');
    const withoutQueueMetrics = async () => {
      const seen = await scrape();
      return value(seen, 'outbox_events_undispatched') === undefined ? seen : null;
    };
    const text = await eventually(withoutQueueMetrics, { what: 'the absence of the metrics' });
    await app.db.query('alter table tasks_elsewhere rename to tasks');
    expect(text).not.toContain('kind="test.kind"');
    expect(value(text, 'database_pool_waiting')).toBe(0);
    expect(text).toContain('http_request_duration_seconds_count');
  });
});

test('counts replies by outcome, also those that fail after their headers', async () => {
  const ada = await app.signUp();
  const { id } = await app.createConversation(ada.token);
  const lastEvent = async (content: string) => {
    let last: string | undefined;
    const body = { content };
    for await (const { event } of app.stream(`/v1/conversations/${id}/messages/stream`, { as: ada.token, body })) {
      last = event;
    }
    return last;
  };
  const before = await scrape();
  app.model.script({ deltas: ['Half', ' a'], fault: { kind: 'drop', after: 1 } });
  expect(await lastEvent('Do you break?')).toBe('error');
  expect(await lastEvent('And now?')).toBe('done');
  const after = await scrape();
  for (const end of ['complete', 'upstream_error']) {
    const series = `generations_ended_total{end="${end}"}`;
    expect(value(after, series)).toBe((value(before, series) ?? Number.NaN) + 1);
  }
  expect(value(after, 'model_provider_failures_total{kind="broken_off"}')).toBeGreaterThanOrEqual(1);
});

test('only counters have the suffix _total, and every counter has it', async () => {
  const types = [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
});

describe('the alert rules', () => {
  const rules = readFileSync(new URL('../../deploy/alerts.yaml', import.meta.url), 'utf8');
  const expressions = [...rules.matchAll(/^ {8}expr: (.+)$/gm)].map(([, expression]) => expression ?? '');
  /** Metrics of Prometheus itself. */
  const foreign = new Set(['up']);

  test('do not count probes as responses', () => {
    const [errors = ''] = expressions.filter((expression) => expression.includes('status=~"5.."'));
    expect(
      errors.match(/http_request_duration_seconds_count\{[^}]*route!~"\/readyz\|\/healthz\|\/metrics"\}/g),
    ).toHaveLength(2);
  });

  test('use only metrics that a running instance has', async () => {
    const text = await eventually(
      async () => {
        const seen = await scrape();
        return seen.includes('outbox_events_undispatched') ? seen : null;
      },
      { what: 'the metrics' },
    );
    const known = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name ?? ''],
      ),
    );
    const named = expressions.flatMap((expression) =>
      [
        ...expression
          .replaceAll(/"[^"]*"|\{[^}]*\}|\b(?:by|without|on|ignoring) ?\([^)]*\)/g, '')
          .matchAll(/[a-z]\w*\b(?!\s*\()/g),
      ]
        .map(([name]) => name)
        .filter((name) => !/^(?:by|without|and|or|unless|[smhd])$/.test(name)),
    );
    expect(expressions.length).toBeGreaterThan(9);
    expect(named.length).toBeGreaterThanOrEqual(expressions.length);
    expect(named.filter((name) => !known.has(name) && !foreign.has(name))).toEqual([]);
  });

  test('each have a unique name, a severity and an action', () => {
    const alerts = rules.split(/^ {6}- alert: /m).slice(1);
    expect(alerts).toHaveLength(expressions.length);
    expect(new Set(alerts.map((alert) => alert.split('\n')[0])).size).toBe(alerts.length);
    for (const alert of alerts) {
      expect(alert).toMatch(/severity: (?:page|ticket)\b/);
      expect(alert).toMatch(/summary: .{10,}/);
      expect(alert).toMatch(/action: .{10,}/);
    }
  });
});

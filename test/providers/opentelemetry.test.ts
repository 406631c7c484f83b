import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wantsTelemetry } from '../../src/core/telemetry.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const message = 'Nobody but us two may read this sentence.';
const server = 2;

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ServiceProcess;
let token: string;

beforeAll(async () => {
  [receiver, database] = await Promise.all([startOtlpReceiver(), createTestDatabase()]);
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    DATA_DIR: await makeScratchFolder('acs-otel-'),
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_METRIC_EXPORT_TIMEOUT: '400',
  });
  ({ token } = await service.signUp());
  const agent = await service.call('POST', '/v1/agents', {
    as: token,
    body: { name: 'Ada', instructions: 'Be brief.' },
  });
  const { body } = await service.call('POST', '/v1/conversations', { as: token, body: { agent_id: agent.body.id } });
  await service.call('POST', `/v1/conversations/${body.id}/messages`, {
    as: token,
    body: { content: message },
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
});
afterAll(async () => {
  await service.kill();
  await receiver.stop();
  await database.drop();
});

const spanOf = (matches: (span: ReceivedSpan) => boolean) =>
  eventually(() => receiver.spans.find(matches), { what: 'the span' });

describe('with an OTLP endpoint', () => {
  test('a request is a span with its route, in the trace of its caller', async () => {
    const span = await spanOf(({ kind, traceId: own }) => kind === server && own === traceId);
    expect(span.name).toBe('POST /v1/conversations/:conversation_id/messages');
    expect(span.parentSpanId).toBe('b7ad6b7169203331');
    expect(span.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/conversations/:conversation_id/messages',
      'http.response.status_code': 201,
    });
    expect([...receiver.services]).toEqual(['agent-chat-service']);
  });

  test('what it does is in the same trace: statements by name, and the call of the model', async () => {
    const model = await spanOf((span) => span.traceId === traceId && span.name === 'model chat/completions');
    expect(model.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 });
    const sql = receiver.spans.filter((span) => span.traceId === traceId && span.name.startsWith('sql '));
    expect(new Set(sql.map(({ name }) => name)).size).toBeGreaterThan(3);
    const known = new Set(receiver.spans.map(({ spanId }) => spanId));
    expect(sql.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''))).toEqual([]);
  });

  test('an attempt at a task is a trace of its own', async () => {
    const task = await spanOf(({ name }) => name.startsWith('task conversation.'));
    expect(task.parentSpanId ?? '').toBe('');
    expect(task.traceId).not.toBe(traceId);
    expect(task.attributes).toMatchObject({ 'task.attempt': 1 });
  });

  test('the figures of /metrics and the durations of requests are sent', async () => {
    const wanted = [
      'http.server.request.duration',
      'outbox_events_undispatched',
      'database_pool_connections',
      'process_resident_memory_bytes',
    ];
    await eventually(() => wanted.every((name) => receiver.metrics.has(name)), { what: 'the figures' });
  });

  test('a log line of a request names its trace', async () => {
    await eventually(() => service.log().includes(`"trace_id":"${traceId}"`), {
      what: 'the log line',
      timeoutMs: 5_000,
    });
  });

  test('nothing that is sent holds a text, a credential or an address', async () => {
    await spanOf(({ name }) => name === 'model chat/completions');
    for (const secret of ['Nobody but us', token, 'example.com', 'Be brief'])
      expect(receiver.text()).not.toContain(secret);
  });

  test('what is left is sent before the process ends', async () => {
    await service.call('GET', '/v1/models', { headers: { 'x-request-id': 'the-last-one' } });
    service.signal('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(receiver.spans.some(({ attributes }) => attributes['http.request.id'] === 'the-last-one')).toBe(true);
  });
});

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'x' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ OTEL_TRACES_EXPORTER: 'console' }, true],
])('%o turns telemetry on: %s', (vars, on) => {
  expect(wantsTelemetry(vars)).toBe(on);
});

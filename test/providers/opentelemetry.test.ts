import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wantsTelemetry } from '../../src/core/process/telemetry.ts';
import { startTelemetry } from '../../src/app/telemetry.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const message = 'This sentence must stay private.';
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
  test('a request becomes a span with its route, in the trace of its caller', async () => {
    const span = await spanOf(({ kind, traceId: own }) => kind === server && own === traceId);
    expect(span.name).toBe('POST /v1/conversations/:conversation_id/messages');
    expect(span.parentSpanId).toBe('b7ad6b7169203331');
    expect(span.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/conversations/:conversation_id/messages',
      'http.response.status_code': 201,
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
    });
    expect([...receiver.versions]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/)]);
    expect([...receiver.services]).toEqual(['agent-chat-service']);
  });

  test('statements and model calls of a request are in the same trace', async () => {
    const model = await spanOf((span) => span.traceId === traceId && span.name.startsWith('chat '));
    expect(model.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': expect.stringMatching(/^gpt-/),
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
      'server.port': expect.any(Number),
      'http.response.status_code': 200,
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    });
    const sql = receiver.spans.filter((span) => span.traceId === traceId && span.name.startsWith('sql '));
    expect(new Set(sql.map(({ name }) => name)).size).toBeGreaterThan(3);
    const known = new Set(receiver.spans.map(({ spanId }) => spanId));
    expect(sql.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''))).toEqual([]);
  });

  test('each attempt of a task has its own trace', async () => {
    const task = await spanOf(({ name }) => name.startsWith('task conversation.'));
    expect(task.parentSpanId ?? '').toBe('');
    expect(task.traceId).not.toBe(traceId);
    expect(task.attributes).toMatchObject({ 'task.attempt': 1 });
  });

  test('exports the metrics of /metrics and request durations', async () => {
    const wanted = [
      'http.server.request.duration',
      'outbox_events_undispatched',
      'database_pool_connections',
      'process_resident_memory_bytes',
    ];
    await eventually(() => wanted.every((name) => receiver.metrics.has(name)), { what: 'the figures' });
  });

  test('a log line of a request has its trace id', async () => {
    await eventually(() => service.log().includes(`"trace_id":"${traceId}"`), {
      what: 'the log line',
    });
  });

  test('exports no texts, credentials or addresses', async () => {
    await spanOf(({ name }) => name.startsWith('chat '));
    for (const secret of ['This sentence must', token, 'example.com', 'Be brief'])
      expect(receiver.text()).not.toContain(secret);
  });

  test('flushes before the process exits', async () => {
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

test('gRPC, which the build does not contain, is refused', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4317', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' };
  await expect(startTelemetry(env)).rejects.toThrow(
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc is not supported. Choose http/protobuf or http/json.',
  );
});

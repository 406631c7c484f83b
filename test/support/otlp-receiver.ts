import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface AttributeValue {
  stringValue?: string;
  intValue?: string | number;
}

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | undefined>;
}

interface Attributes {
  attributes?: { key: string; value: AttributeValue }[];
}
interface TracesRequest {
  resourceSpans?: {
    resource: Attributes;
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & Attributes)[] }[];
  }[];
}
interface MetricsRequest {
  resourceMetrics?: { scopeMetrics: { metrics: { name: string }[] }[] }[];
}

/** A collector that stores OTLP/HTTP requests in JSON. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const metrics = new Set<string>();
  const services = new Set<string>();
  const versions = new Set<string>();
  let bytes = '';
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      bytes += body;
      if (request.url === '/v1/traces') keepSpans(JSON.parse(body) as TracesRequest);
      if (request.url === '/v1/metrics') keepMetrics(JSON.parse(body) as MetricsRequest);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const keepSpans = ({ resourceSpans = [] }: TracesRequest) => {
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(String(flat(resource)['service.name']));
      versions.add(String(flat(resource)['service.version']));
      for (const { spans: received } of scopeSpans)
        for (const span of received) spans.push({ ...span, attributes: flat(span) });
    }
  };
  const keepMetrics = ({ resourceMetrics = [] }: MetricsRequest) => {
    for (const { scopeMetrics } of resourceMetrics)
      for (const { metrics: received } of scopeMetrics) for (const { name } of received) metrics.add(name);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    services,
    versions,
    /** Every request body, unchanged. */
    text: () => bytes,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const flat = ({ attributes = [] }: Attributes) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  );

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
}

import type { EndpointCapacity } from '../../src/webhooks/dispatch/endpoint-capacity.ts';

/** Claims `count` deliveries of an endpoint. */
export function hold(endpoint: EndpointCapacity<number>, count: number): void {
  for (let n = 0; n < count; n++) endpoint.hold(n);
}

/** Sends `count` deliveries one after the other and records their outcomes. */
export function respond(
  endpoint: EndpointCapacity<number>,
  count: number,
  { durationMs, succeeded = true }: { durationMs: number; succeeded?: boolean },
): void {
  for (let n = 0; n < count; n++) {
    endpoint.hold(n);
    endpoint.takeNext();
    endpoint.noteResponse(succeeded, durationMs);
    endpoint.noteRecorded(succeeded);
  }
}

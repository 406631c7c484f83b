import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Starts a loopback server that verifies tokens like Turnstile. The token `ok` passes; every other one fails. */
export async function startTurnstileSimulator(): Promise<{ verifyUrl: string; stop(): Promise<void> }> {
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      const form = new URLSearchParams(body);
      const success = (form.get('secret') ?? '') !== '' && form.get('response') === 'ok';
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }));
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    verifyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/turnstile/v0/siteverify`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

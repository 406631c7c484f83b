import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { outgoingFetch } from '../../src/core/http/outgoing.ts';

const root = resolve(import.meta.dirname, '../..');
const files = globSync('{src,schema,rest,jobs}/**/*.ts', {
  cwd: root,
  exclude: (path) => /simulators|rest\/client/.test(path),
});
const withText = (expression: RegExp): string[] =>
  files.filter((file) => expression.test(readFileSync(join(root, file), 'utf8'))).toSorted();

test('every outgoing call with fetch or undici uses the connections of outgoing.ts', () => {
  expect(withText(/(?<![\w.'])fetch\(|globalThis\.fetch\b(?!\))/)).toEqual([]);
  expect(withText(/import\('undici'\)/)).toEqual([
    'src/core/http/outgoing.ts',
    // A reader of bodies, on the same connections.
    'src/providers/openai/stream-fetch.ts',
  ]);
  // Vendors' SDKs on Node's own HTTP client, which skips informational responses.
  expect(withText(/from 'node:(?:https?|net|tls)'/).filter((file) => file.startsWith('src/providers/'))).toEqual([]);
});

test('a vendor may send "100 Continue" without being asked', async () => {
  const server = createServer((_request, response) => {
    response.writeContinue();
    response.end('{"ok":true}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const response = await outgoingFetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' });
  expect(await response.json()).toEqual({ ok: true });
  server.close();
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.ts';

export const run = promisify(execFile);
export const root = join(import.meta.dirname, '../..');

export interface EmittedClient {
  app: TestApp;
  /** The proxy between the client and the service. */
  network: UnreliableProxy;
  /** On the largest plan. */
  ada: Account;
  /** A folder whose programs can import `agent-chat-client`. */
  folder: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- emitted while this runs: its types are tried by the compiler
  emitted: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above; it calls as Ada, over the network
  client: any;
  close(): Promise<void>;
}

/** Emits the client as `npm run client` does, and starts a service for it. */
export async function openEmittedClient(): Promise<EmittedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'acs-client-'));
  const emit = run(process.execPath, [join(root, 'rest/client/emit.ts'), join(folder, 'client')]);
  const app = await startTestApp();
  const network = await startUnreliableProxy(app.baseUrl);
  const ada = await app.signUp({ plan: 'creator' });
  await emit;
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(folder, 'client'), join(folder, 'node_modules/agent-chat-client'));
  const emitted = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'client/index.js')).href);
  return {
    app,
    network,
    ada,
    folder,
    emitted,
    client: emitted.createClient({ baseUrl: `${network.baseUrl}/`, credential: () => ada.token }),
    close: async () => {
      await network.stop();
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const openapi = join(root, 'rest/openapi.json');
let app: TestApp;
let folder: string;

interface Generator {
  /** Returns the arguments with which the generator writes to `name` in the current folder. */
  args: (name: string) => string[];
  /** A program that registers, creates an agent, chats and prints the messages with the generated functions. */
  tour: string;
}

const agent = `{ name: 'Ada', description: 'A tutor.', instructions: 'Teach.' }`;
const account = (name: string) => `{ email: '${name}@example.com', password: 'correct horse battery' }`;

const generators: Record<string, Generator> = {
  oazapfts: {
    args: (name) => [openapi, `${name}/api.ts`],
    tour: `
      import * as api from './api.ts';
      api.defaults.baseUrl = baseUrl;
      const registered = await api.register(${account('oazapfts')});
      if (registered.status !== 201) throw new Error(registered.data.error.message);
      api.defaults.headers = { authorization: 'Bearer ' + registered.data.access_token };
      const agent = await api.createAgent(${agent});
      if (agent.status !== 201) throw new Error(agent.data.error.message);
      const conversation = await api.createConversation({ agent_id: agent.data.id });
      if (conversation.status !== 201) throw new Error(conversation.data.error.message);
      await api.sendMessage(conversation.data.id, { content: 'Hello' });
      const list = await api.messages(conversation.data.id);
      if (list.status === 200) report(list.data.data.map(({ role }) => role));`,
  },
  'openapi-typescript-codegen': {
    args: (name) => ['--input', openapi, '--output', name],
    tour: `
      import { AgentsService, AuthAndAccountService, ConversationsService, OpenAPI } from './index';
      OpenAPI.BASE = baseUrl;
      OpenAPI.TOKEN = (await AuthAndAccountService.register(${account('codegen')})).access_token;
      const agent = await AgentsService.createAgent(${agent});
      const conversation = await ConversationsService.createConversation({ agent_id: agent.id });
      await ConversationsService.sendMessage(conversation.id, { content: 'Hello' });
      report((await ConversationsService.messages(conversation.id)).data.map(({ role }) => role));`,
  },
  'swagger-typescript-api': {
    args: (name) => ['generate', '-p', openapi, '-o', name, '-n', 'api.ts'],
    tour: `
      import { Api } from './api.ts';
      const api = new Api<string>({
        baseUrl,
        securityWorker: (token) => (token ? { headers: { authorization: 'Bearer ' + token } } : {}),
        baseApiParams: { secure: true },
      });
      api.setSecurityData((await api.v1.register(${account('swagger')})).data.access_token);
      const agent = (await api.v1.createAgent(${agent})).data;
      const conversation = (await api.v1.createConversation({ agent_id: agent.id })).data;
      await api.v1.sendMessage(conversation.id, { content: 'Hello' });
      report((await api.v1.messages(conversation.id)).data.data.map(({ role }) => role));`,
  },
};

const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
};

beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'acs-generators-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Finds a program through its package, because another package may have a program of the same name. */
function programOf(name: string): string {
  const packageFolder = join(root, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { bin: object | string };
  return join(packageFolder, typeof bin === 'string' ? bin : String(Object.values(bin)[0]));
}

/** Generates a client and its tour. Returns the path of the tour. */
async function generate(name: string, { args, tour }: Generator): Promise<string> {
  await mkdir(join(folder, name));
  await run(process.execPath, [programOf(name), ...args(name)], { cwd: folder });
  const [imports = ''] = /^\s*import .*\n/.exec(tour) ?? [];
  const body = tour.slice(imports.length);
  const source = `${imports}export async function take(baseUrl: string, report: (roles: string[]) => void) {\n${body}\n}\n`;
  await writeFile(join(folder, name, 'tour.ts'), source);
  return join(folder, name, 'tour.ts');
}

describe.each(Object.entries(generators))('a client generated by %s', (name, generator) => {
  test('compiles and does the tour', async () => {
    const tour = await generate(name, generator);
    await writeFile(join(folder, name, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const output = await run(process.execPath, [tsc, '-p', join(folder, name)]).then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    expect(output).toBe('');
    const outDir = join(folder, name, 'built');
    await build({ configFile: false, logLevel: 'silent', build: { ssr: tour, outDir, minify: false } });
    const { take } = await import(/* @vite-ignore */ pathToFileURL(join(outDir, 'tour.js')).href);
    const roles: string[][] = [];
    await take(app.baseUrl, (list: string[]) => roles.push(list));
    expect(roles.flat().slice(0, 2)).toEqual(['assistant', 'user']);
  });
});

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { features } from '../../lint/layers.ts';

const root = resolve(import.meta.dirname, '../..');

/** [file, content]: each breaks one rule, which the linter must report. */
const forbidden: [string, string][] = [
  ['src/core/a.ts', `import '../accounts/x.ts';`],
  ['src/core/b.ts', `import type { X } from '../providers/openai/x.ts'; export type Y = X;`],
  ['src/core/c.ts', `export { x } from '../app/app.ts';`],
  ['src/core/d.ts', `export type { X } from '../webhooks/x.ports.ts';`],
  ['src/core/e.ts', `export type X = import('../agents/x.ts').X;`],
  ['src/core/cycle-a.ts', `import type { B } from './cycle-b.ts'; export type A = B | null;`],
  ['src/core/cycle-b.ts', `import type { A } from './cycle-a.ts'; export type B = A | string;`],
  ['src/core/time-a.ts', 'export const text = `select 1 from tasks where run_at <= $1`;'],
  ['src/core/time-b.ts', `export const text = 'update tasks set lease_expires_at = $2 where id = $1';`],
  ['src/core/time-c.ts', `export const deadline = Date.now() + 1_000;`],
  ['src/agents/time-d.ts', `export const createdAt = new Date();`],
  ['src/agents/a.ts', `import '../conversations/x.ts';`],
  ['src/agents/b.ts', `import type { X } from '../webhooks/x.ts'; export type Y = X;`],
  ['src/agents/c.ts', `export * from '../providers/openai/x.ts';`],
  ['src/agents/d.ts', `import '../../schema/agents.ts';`],
  ['src/agents/e.ts', `import '../../rest/routes/routes.ts';`],
  ['src/agents/f.ts', `export const x = (): Promise<unknown> => import('../../jobs/purge.ts');`],
  ['src/agents/g.ts', `import '../simulators/openai.ts';`],
  ['src/agents/h.ts', `import '../../test/support/x.ts';`],
  ['src/agents/deep/i.ts', `import '../../voice/x.ts';`],
  ['src/agents/j.ts', `export const x = process.env['PORT'];`],
  ['src/agents/k.ts', `import { env } from 'node:process'; export const x = env['PORT'];`],
  ['src/providers/openai/a.ts', `import { x } from '../../agents/agents.ts'; export const y = x;`],
  ['src/providers/openai/b.ts', `import '../../../schema/x.ts';`],
  ['src/providers/openai/c.ts', `import '../../simulators/openai.ts';`],
  ['src/simulators/a.ts', `import '../agents/x.ts';`],
  ['schema/a.ts', `import '../rest/routes.ts';`],
  ['schema/b.ts', `import '../src/providers/openai/x.ts';`],
  ['schema/c.ts', `import '../jobs/purge.ts';`],
  ['schema/d.ts', `import '../src/app/app.ts';`],
  ['rest/adapters/a.ts', `import '../../jobs/purge.ts';`],
  ['rest/adapters/b.ts', `import '../../src/simulators/openai.ts';`],
  ['rest/c.ts', `import '../src/providers/files/x.ts';`],
  ['rest/d.ts', `export const x = process.env['PORT'];`],
  ['jobs/a.ts', `import '../schema/x.ts';`],
  ['jobs/b.ts', `import '../rest/x.ts';`],
  ['jobs/c.ts', `import '../src/providers/mail/x.ts';`],
  ['src/core/f.ts', `import '../app/parts.ts';`],
  ['src/app/app.ts', `import '../../test/support/x.ts';`],
  ['src/stray.ts', `export const x = 1;`],
  ['src/platform/x.ts', `export const x = 1;`],
  ['src/core/utils.ts', `export const x = 1;`],
  ['src/agents/agent-manager.ts', `export const x = 1;`],
  ['src/agents/index.ts', `export const x = 1;`],
  ['web/src/agents/a.ts', `import '../explore/explore-page.tsx';`],
  ['web/src/conversations/b.ts', `export const x = (): Promise<unknown> => import('../frame/frame.tsx');`],
  ['web/src/explore/c.ts', `import '../router.tsx';`],
  ['web/src/parts/d.ts', `import '../chat/drafts.ts';`],
  ['web/src/api/e.ts', `import type { X } from '../parts/x.ts'; export type Y = X;`],
  ['web/src/chat/f.ts', `import '../conversations/replies.ts';`],
  ['web/src/agents/g.ts', `import '../knowledge/x.ts';`],
  ['web/src/agents/h.ts', `import '../../../src/core/ids.ts';`],
  ['src/core/cycle-a.ts', `import { b } from './cycle-b.ts'; export const a = (): unknown => b;`],
  ['src/core/cycle-b.ts', `import { a } from './cycle-a.ts'; export const b = (): unknown => a;`],
];

const legal: [string, string][] = [
  ['src/core/ids.ts', `import { z } from 'zod'; import './clock.ts'; export const x = z;`],
  [
    'src/webhooks/x.ts',
    features
      .slice(0, features.indexOf('webhooks') + 1)
      .map((feature) => `import '../${feature}/y.ts';`)
      .join('\n'),
  ],
  ['src/agents/y.ts', `import '../core/ids.ts'; import './x.ports.ts';`],
  [
    'src/core/time-ok.ts',
    "export const text = `update tasks set run_at = now() + $2::float8 * interval '1 ms' where id = $1`; export const epoch = new Date(0);",
  ],
  [
    'src/providers/openai/ok.ts',
    `import { x } from '../../agents/x.ports.ts'; import '../../core/ids.ts'; export const y = x;`,
  ],
  ['src/providers/openai/types.ts', `import type { X } from '../../agents/agents.ts'; export type Y = X;`],
  ['web/src/agents/ok.ts', `import '../api/x.ts'; import '../parts/x.tsx'; import '../chat/x.ts'; import './y.ts';`],
  ['web/src/knowledge/ok.ts', `import '../agents/x.ts';`],
  ['web/src/frame/ok.ts', `import '../agents/x.ts'; import '../conversations/x.ts';`],
  ['src/app/features.ts', `import '../agents/y.ts';`],
  [
    'schema/ok.ts',
    `import '../src/app/features.ts'; import '../src/agents/y.ts'; import '../src/core/ids.ts'; import './agents.ts';`,
  ],
  ['rest/adapters/ok.ts', `import '../../schema/ok.ts'; import '../../src/agents/y.ts'; import '../routes.ts';`],
  ['jobs/ok.ts', `import '../src/agents/y.ts'; import '../src/core/ids.ts';`],
  ['src/app/parts.ts', `import '../agents/y.ts';`],
  [
    'src/main.ts',
    `import './core/process/node-version.ts'; import type { X } from './app/app.ts';
     export const app: Promise<X> = import('./app/app.ts'); export const port = process.env['PORT'];`,
  ],
  ['test/agents/ok.ts', `import '../../src/simulators/openai.ts'; export const x = process.env['PORT'];`],
];

let folder = '';
let complaints: Map<string, string[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
  for (const name of ['oxlint.config.ts', 'tsconfig.json', 'package.json', 'lint']) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of [...forbidden, ...legal]) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  }
  complaints = await lint();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Messages of the linter about imports and the environment, by file. */
const lint = async (): Promise<Map<string, string[]>> => {
  const output = await new Promise<string>((done) => {
    const folders = ['src', 'schema', 'rest', 'jobs', 'test', 'web'];
    const options = { cwd: folder, timeout: 100_000 };
    execFile(join(root, 'node_modules/.bin/oxlint'), ['--format=json', ...folders], options, (_error, stdout) => {
      done(stdout);
    });
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code: string; message: string }[] };
  const byFile = new Map<string, string[]>();
  for (const { filename, code, message } of diagnostics) {
    if (!/^layers|no-cycle|no-process-env|no-restricted-imports/.test(code)) continue;
    byFile.set(filename, [...(byFile.get(filename) ?? []), message]);
  }
  return byFile;
};

test.each(forbidden)('%s must not contain: %s', (path) => {
  expect(complaints.get(path)).toHaveLength(1);
});

test.each(legal)('%s may contain: %s', (path) => {
  expect(complaints.get(path) ?? []).toEqual([]);
});

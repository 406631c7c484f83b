import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentVariables, readConfig } from '../../src/app/config.ts';
import { productionEnv } from '../support/production.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const stages = dockerfile.split(/^FROM /m).slice(1);
  const last = stages.at(-1) ?? '';
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, paths]) => paths?.split(' ') ?? [],
  );

  test('copies existing files that the build context includes', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored[0]).toBe('*');
    expect(copied.length).toBeGreaterThan(7);
    for (const path of copied) {
      expect({ path, there: existsSync(join(root, path)) }).toEqual({ path, there: true });
      expect(ignored).toContain(`!${path}`);
    }
    for (const secret of ['.env', '.data', '.git']) expect(ignored).not.toContain(`!${secret}`);
  });

  test('copies every file that the build reads', () => {
    const { include } = JSON.parse(read('tsconfig.build.json')) as { include: string[] };
    for (const path of include) expect(copied).toContain(path);
  });

  test('runs existing scripts and starts the built program', () => {
    for (const [, name] of dockerfile.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([name ?? '']);
    const main = /^CMD \["node", "(.+)"\]$/m.exec(last)?.[1] ?? '';
    expect(main).toBe('dist/service/main.js');
    expect(scripts['start']).toContain('service/main.js');
    expect(scripts['build']).toContain('deploy/pack/build.ts');
    expect(existsSync(join(root, 'src', `${basename(main, '.js')}.ts`))).toBe(true);
  });

  test('uses the major version of Node that the service requires', () => {
    expect(stages.map((stage) => /^node:(\d+)-/.exec(stage)?.[1])).toEqual(['24', '24', '24']);
  });

  test('runs as an unprivileged user in the production profile, with a health check', () => {
    expect(last).toMatch(/^USER node$/m);
    expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('CMD ["node", "dist'));
    expect(last).toMatch(/^ENV NODE_ENV=production /m);
    expect(last).toMatch(/^HEALTHCHECK .*\n +CMD .*\/healthz/m);
  });
});

describe('the example in compose.yaml', () => {
  const compose = read('compose.yaml');
  const settings = /^x-settings: &settings\n((?: {2}.+\n)+)/m.exec(compose)?.[1] ?? '';
  const given = Object.fromEntries(
    [...settings.matchAll(/^ {2}([A-Z_]+): ['"]?(.+?)['"]?$/gm)].map(([, name, value]) => [
      name ?? '',
      (value ?? '').replaceAll(/\$\{\w+:\?\}/g, 'hunter2'),
    ]),
  );

  test('is a valid production configuration with the required .env', () => {
    expect(Object.keys(given).filter((name) => !environmentVariables.includes(name))).toEqual([]);
    const { DATABASE_URL, FILES_URL, PROFILE, ...fromFile } = productionEnv();
    expect([DATABASE_URL, FILES_URL, PROFILE].every(Boolean)).toBe(true);
    expect(readConfig({ ...fromFile, ...given })).toMatchObject({ profile: 'production', trustProxy: true });
  });

  test('has two web instances behind the proxy and two workers', () => {
    const services = [...compose.matchAll(/^ {2}(\w+-\d):/gm)].map(([, name]) => name);
    expect(services).toEqual(['web-1', 'web-2', 'worker-1', 'worker-2']);
    const upstreams = /reverse_proxy (.+) \{/.exec(read('deploy/Caddyfile'))?.[1];
    expect(upstreams).toBe('web-1:3000 web-2:3000');
  });

  test('gives the service only its volume to write to, and time to stop', () => {
    for (const line of ['read_only: true', 'user: node', 'cap_drop: [ALL]', 'init: true'])
      expect(compose).toContain(line);
    const graceSeconds = Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1]);
    const limitMs = Number(/stopLimitMs = ([\d_]+)/.exec(read('src/main.ts'))?.[1]?.replaceAll('_', ''));
    expect(graceSeconds * 1_000).toBeGreaterThan(limitMs);
  });

  test('has a proxy that streams and does not expose metrics', () => {
    const caddyfile = read('deploy/Caddyfile');
    for (const line of ['flush_interval -1', 'health_uri /readyz', 'respond /metrics 404'])
      expect(caddyfile).toContain(line);
  });

  test('refers to existing files', () => {
    for (const [, path] of compose.matchAll(/- (\.\/[^:]+):/g)) expect(existsSync(join(root, path ?? ''))).toBe(true);
    expect(readdirSync(join(root, 'deploy')).sort()).toEqual([
      'Caddyfile',
      'alerts.yaml',
      'kubernetes',
      'pack',
      'roles.sh',
    ]);
  });
});

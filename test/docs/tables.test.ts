import { visitorPaths } from '../../src/embeds/visitors/visitor-paths.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseModels, builtInModels } from '../../src/agents/models.ts';
import { catalog } from '../../src/app/features.ts';
import type { Plan } from '../../src/core/actor.ts';
import { parseRateLimits } from '../../src/core/http/rate-limit-table.ts';
import { parseGenerationLimits } from '../../src/conversations/generations/generation-limits.ts';
import { environmentVariables } from '../../src/app/config.ts';
import { errorTable } from '../../src/core/errors.ts';
import { visitorOperations } from '../../rest/openapi/openapi-visitors.ts';
import { routes } from '../../rest/routes/routes.ts';
import { environmentExample, variablesOf, withPart } from '../../lint/docs/generated-parts.ts';
import { allPages, guide, guides, read, readme, root, section } from './guide-pages.ts';

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('README.md', () => {
  test('has at most 12 kB', () => {
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(12_000);
  });

  test('shows the command that .ci/run runs', () => {
    expect(readme.blocks.map(({ code }) => code.trim())).toContain('npm ci && npm test');
  });
});

describe('the documentation', () => {
  test('lists every error code with its status and message', () => {
    const rows = [...section(guide('api'), 'Errors').matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \|$/gm)].map(
      ([, code, status, message]) => [code, { status: Number(status), message }],
    );
    expect(Object.fromEntries(rows)).toEqual(errorTable);
  });

  test('lists every route', () => {
    const rows = [...section(guide('api'), 'Routes').matchAll(/^\| ([A-Z]+) \| `\/v1(\S+)` \|/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    const ofVisitors = visitorOperations.map(({ method, path }) => ({
      method: method.toUpperCase(),
      path: path.slice(3),
    }));
    expect(rows.sort()).toEqual([...routes, ...ofVisitors].map(({ method, path }) => `${method} ${path}`).sort());
  });

  test('lists every environment variable and no other', () => {
    const names = variablesOf(guide('configuration').text).flatMap(({ names }) => names);
    expect(names.sort()).toEqual([...environmentVariables].sort());
  });

  test('lists the limits of each plan', () => {
    const number = (cell = '') => (cell === 'unlimited' ? Infinity : Number(cell.replace(',', '')));
    const rows = [
      ...guide('billing').text.matchAll(/^\| `(\w+)` \| \d+ \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$/gm),
    ].map(([, plan, messages, agents, documents, stored]) => [
      plan,
      {
        messagesPerDay: number(messages),
        agents: number(agents),
        knowledgeDocuments: number(documents),
        storedMegabytes: number(stored),
      },
    ]);
    const { messagesPerDay, agents, knowledgeDocuments, storedMegabytes } = catalog.planLimits;
    const limitsOf = (plan: Plan) => ({
      messagesPerDay: messagesPerDay[plan],
      agents: agents[plan],
      knowledgeDocuments: knowledgeDocuments[plan],
      storedMegabytes: storedMegabytes[plan],
    });
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries((['free', 'plus', 'pro', 'creator'] as const).map((plan) => [plan, limitsOf(plan)])),
    );
  });

  test('lists the limits of speech by plan', () => {
    const { tts, stt } = parseRateLimits(undefined);
    const rows = [...guide('voice').text.matchAll(/^\| `(\w+)`, `(\w+)` \| ([\d,]+) \| ([\d,]+) \|$/gm)].flatMap(
      ([, first, second, speech = '', transcriptions = '']) =>
        [first, second].map((plan) => [plan, Number(speech.replace(',', '')), Number(transcriptions.replace(',', ''))]),
    );
    expect(rows).toEqual((['free', 'plus', 'pro', 'creator'] as const).map((plan) => [plan, tts[plan], stt[plan]]));
  });

  test('lists the error codes of documents', () => {
    const listed = [...section(guide('knowledge'), 'Documents').matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    const described = /`encrypted`[^']+/.exec(read('schema/knowledge.ts'))?.[0] ?? '';
    expect(listed).toEqual([...described.matchAll(/`(\w+)`/g)].map(([, code]) => code));
    expect(listed).toHaveLength(5);
  });

  test('shows JSON for RATE_LIMITS, GENERATION_LIMITS and MODELS that the service accepts', () => {
    const { text, blocks } = guide('configuration');
    const inCell = (name: string) => new RegExp(`^\\| \`${name}\`.*?\`(\\{.*\\})\``, 'm').exec(text)?.[1];
    expect(parseRateLimits(inCell('RATE_LIMITS'))).toEqual(parseRateLimits(undefined));
    expect(parseGenerationLimits(inCell('GENERATION_LIMITS'))).toEqual(parseGenerationLimits(undefined));
    const models = blocks.find(({ purpose }) => purpose === 'models')?.code;
    expect(parseModels(models).fast).toMatchObject({ providerModel: 'llama-4-mini', reasoningEffort: undefined });
  });

  test('lists the fields of MODELS with what is built in', () => {
    const rows = new Map(
      [...section(guide('configuration'), 'Models').matchAll(/^\| (`.+?`) \| .+? \| (.*) ?\|$/gm)].flatMap(
        ([, names = '', builtIn = '']) =>
          [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, builtIn] as const),
      ),
    );
    const fields = Object.keys(builtInModels.default).filter((name) => name !== 'id' && name !== 'isDefault');
    expect([...rows.keys()].sort()).toEqual(fields.sort());
    const shown = (name: string) => (rows.get(name) ?? '').split(/, (?!\d{3})/).map((n) => n.trim().replace(',', ''));
    const models = Object.values(builtInModels);
    expect(shown('temperature')).toEqual(models.map(({ temperature }) => String(temperature)));
    expect(shown('maxOutputTokens').length).toBeGreaterThan(0);
    for (const { maxOutputTokens } of models)
      expect(rows.get('maxOutputTokens')).toContain(maxOutputTokens.toLocaleString('en'));
    for (const { contextTokens } of models)
      expect(rows.get('contextTokens')).toContain(contextTokens.toLocaleString('en'));
  });

  test('names only commands that exist', () => {
    const named = allPages.flatMap(({ text }) => [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names only paths of /v1 that exist', () => {
    const paths = [...routes.map(({ path }) => `/v1${path}`), ...Object.values(visitorPaths)];
    const known = paths.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));
    const named = [readme, ...guides].flatMap(({ text }) =>
      [...text.matchAll(/(\/v1\/[\w$(:/-]+)/g)].map(([, path = '']) => path.replace(/\$\(.*$/, 'x')),
    );
    expect(
      named.filter(
        (path) =>
          !known.some((form) => form.test(path)) &&
          !['/v1/openapi', '/v1/auth', '/v1/socket', '/v1/embed', '/v1/widget'].includes(path),
      ),
    ).toEqual([]);
  });

  test('names the metrics that the alert rules use', () => {
    const rules = read('deploy/alerts.yaml');
    const metrics = [...section(guide('observability'), 'Metrics and alerts').matchAll(/^\| (.+?) \|/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(metrics.length).toBeGreaterThan(10);
    for (const metric of metrics) expect(rules).toContain(metric);
  });
});

describe('the generated parts', () => {
  test('are up to date', async () => {
    await expect(
      promisify(execFile)(process.execPath, ['lint/docs/emit.ts', '--check'], { cwd: root }),
    ).resolves.toBeDefined();
  });

  test('.env.example names every variable once', () => {
    const names = [...environmentExample(guide('configuration').text).matchAll(/^# ([A-Z_]+)=$/gm)].map(([, n]) => n);
    expect(names.sort()).toEqual([...environmentVariables].sort());
  });

  test('refuses a page without the part', () => {
    expect(() => withPart('# Page\n', 'errors', [])).toThrow('"errors"');
  });
});

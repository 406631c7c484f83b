import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { pathWithCurl } from '../support/curl.ts';
import { allPages, type GuidePage, guides, readme } from './guide-pages.ts';

const codeOf = (page: GuidePage, purpose: string): string[] =>
  page.blocks.filter((block) => block.purpose === purpose).map(({ code }) => code);

const tour = codeOf(readme, 'tour');
/** The functions, the account, the agent and the conversation that the guides build on. */
const preparation = tour.slice(0, 3);

/** Blocks that cannot run in a shell, by page, with the check that covers them instead. */
const checkedElsewhere: Readonly<Record<string, string>> = {
  verify: 'test/contract/webhook-snippets.test.ts',
  client: 'test/client/package.test.ts',
  roles: 'test/support/serving-role.ts',
  models: 'test/docs/tables.test.ts',
  config: 'a fragment for another program',
};
const plainShell =
  /^(npm ci && npm (start|test)|pg_dump |pg_restore |npx vitest |npm |node dist\/service\/main\.js |git |kubectl )/;

describe('code blocks', () => {
  test.each(allPages.map((page) => [page.path, page] as const))(
    '%s has only blocks that are checked',
    (_path, page) => {
      const unchecked = page.blocks.filter(
        ({ language, purpose, code }) =>
          !(language === 'bash' && (purpose === 'run' || purpose === 'tour')) &&
          !(purpose in checkedElsewhere) &&
          !(['json', 'mermaid', 'ts', 'sql', 'text'].includes(language) && purpose === '') &&
          !(language === 'sh' && plainShell.test(code)),
      );
      expect(unchecked).toEqual([]);
    },
  );
});

test('the guides name the commands as an installation without development dependencies has them', () => {
  const building = /npm run (?:-s )?(?:migrate|restored|partition|images:takedown|stripe:setup)/;
  expect(guides.filter(({ text }) => building.test(text)).map(({ path }) => path)).toEqual([]);
});

describe('commands', () => {
  let app: TestApp;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    app = await startTestApp();
    env = { ...process.env, PATH: await pathWithCurl(), BASE_URL: app.baseUrl };
  });
  afterAll(() => app.close());

  const paste = async (blocks: readonly string[]): Promise<string> => {
    const script = ['set -eu', ...blocks].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env, timeout: 80_000 });
    return stdout;
  };

  test('the tour works in two shells at once', async () => {
    expect(tour.length).toBeGreaterThan(4);
    const [output] = await Promise.all([paste(tour), paste(tour)]);
    expect(output).not.toContain('"error"');
    for (const expected of ['event: done', '"assistant_message"', '"has_more"', 'MessageDone', '"citations":[{'])
      expect(output).toContain(expected);
  });

  const withCommands = guides.filter((page) => codeOf(page, 'run').length > 0);

  test.each(withCommands.map((page) => [page.path, page] as const))(
    '%s works after the start of the tour',
    async (_path, page) => {
      const marker = '== page ==';
      const output = await paste([...preparation, `echo '${marker}'`, ...codeOf(page, 'run')]);
      const [, ofPage = ''] = output.split(marker);
      expect(ofPage.trim()).not.toBe('');
      // `field` prints this for a field that the response does not have.
      expect(ofPage).not.toMatch(/^undefined$/m);
      // The page about errors contains a failing command on purpose.
      if (page.path !== 'docs/api.md') expect(ofPage).not.toMatch(/"error":\{"code"|"errors":\[/);
    },
    90_000,
  );
});

import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { median, quartiles } from './lab/statistics.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

const tokens = { quick: 500, full: 5_000 };
const deltaMs = 5;

/** What a reply costs the browser. */
export const rows: BenchRow[] = [
  { name: 'P23', title: 'CPU of a browser that shows a streamed reply', measure: (bench) => measure(bench) },
];

async function measure(bench: Bench): Promise<Figure[]> {
  const deltas = bench.isQuick ? tokens.quick : tokens.full;
  const env = { DELTAS: String(deltas), DELTA_MS: String(deltaMs) };
  const bare = await bench.startFloor('bare-page.ts', env);
  const upstream = await bench.startFloor('upstream.ts', { ...env, RICH: 'yes' });
  const port = await freePort();
  const service = await bench.startService({
    databaseUrl: await bench.createDatabase(),
    env: { PORT: String(port), OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream.url}/v1` },
  });
  const { env: libraries, ...found } = await findChromium();
  const browser = await chromium.launch({ ...found, env: { ...process.env, ...libraries } as Record<string, string> });
  bench.defer(() => browser.close());
  const own: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < (bench.isQuick ? 1 : 3); round++) {
    own.push(await cpuOfReply(browser, service.url, round));
    floor.push(await cpuOfBare(browser, bare.url));
    bench.say(`round ${round + 1}: ${own.at(-1)?.toFixed(2)} s, bare ${floor.at(-1)?.toFixed(2)} s`);
  }
  const ratios = own.map((seconds, round) => seconds / (floor[round] ?? Number.NaN));
  return [
    { what: 'of a bare page', value: median(ratios), unit: '×', quartiles: quartiles(ratios) },
    {
      what: `${deltas} tokens`,
      value: median(own) * 1_000,
      unit: 'ms',
      ...(bench.isQuick ? {} : { goal: { atMost: 5_000 } }),
    },
    { what: `${deltas} tokens, bare page`, value: median(floor) * 1_000, unit: 'ms' },
  ];
}

async function cpuOfReply(browser: Browser, url: string, round: number): Promise<number> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const account = { email: `bench-${round}@example.com`, password: 'correct horse battery' };
  const { access_token: token } = (await (
    await page.request.post('/session/register', { data: account, headers: { origin: url } })
  ).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  const agent = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' };
  const { id } = (await (await page.request.post('/v1/agents', { data: agent, headers })).json()) as { id: string };
  await page.goto(`/chat?agent=${id}`);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go.');
  const seconds = await cpuOf(page, async () => {
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Regenerate' }).waitFor({ timeout: 300_000 });
  });
  await context.close();
  return seconds;
}

async function cpuOfBare(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  const seconds = await cpuOf(page, async () => {
    await page.goto(url);
    await page.waitForFunction('document.title === "done"', undefined, { timeout: 300_000 });
  });
  await page.close();
  return seconds;
}

/** CPU time of the page's main thread during some work. */
async function cpuOf(page: Page, work: () => Promise<void>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await taken();
  await work();
  return (await taken()) - before;
}

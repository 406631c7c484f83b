import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { median, quartiles } from './lab/statistics.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

const tokens = { quick: 500, full: 5_000 };
const deltaMs = 5;

/** Cost of the console in the browser. */
export const rows: BenchRow[] = [
  {
    name: 'P23',
    title: 'CPU of a browser that loads a conversation, and shows a streamed reply',
    measure: (bench) => measure(bench),
  },
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
  const own: Cpu[] = [];
  const floor: Cpu[] = [];
  for (let round = 0; round < (bench.isQuick ? 1 : 3); round++) {
    own.push(await cpuOfConsole(browser, service.url, round));
    floor.push(await cpuOfBare(browser, bare.url));
    bench.say(`round ${round + 1}: ${describeCpu(own.at(-1))}; bare ${describeCpu(floor.at(-1))}`);
  }
  const ratios = (of: keyof Cpu) => own.map((cpu, round) => cpu[of] / (floor[round]?.[of] ?? Number.NaN));
  const ms = (all: readonly Cpu[], of: keyof Cpu): number => median(all.map((cpu) => cpu[of])) * 1_000;
  const ratio = (what: string, of: keyof Cpu): Figure => ({
    what,
    value: median(ratios(of)),
    unit: '×',
    quartiles: quartiles(ratios(of)),
  });
  return [
    ratio('reply, of a bare page', 'reply'),
    {
      what: `${deltas} tokens`,
      value: ms(own, 'reply'),
      unit: 'ms',
      ...(bench.isQuick ? {} : { goal: { atMost: 5_000 } }),
    },
    { what: `${deltas} tokens, bare page`, value: ms(floor, 'reply'), unit: 'ms' },
    ratio('load, of a bare page', 'load'),
    { what: 'load', value: ms(own, 'load'), unit: 'ms' },
    { what: 'load, bare page', value: ms(floor, 'load'), unit: 'ms' },
  ];
}

/** CPU time of the main thread in seconds. */
interface Cpu {
  /** Until the page can be used. */
  load: number;
  /** While a reply is streamed. */
  reply: number;
}

const describeCpu = (cpu: Cpu | undefined): string =>
  `load ${cpu?.load.toFixed(2)} s, reply ${cpu?.reply.toFixed(2)} s`;

async function cpuOfConsole(browser: Browser, url: string, round: number): Promise<Cpu> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const account = { email: `bench-${round}@example.com`, password: 'correct horse battery' };
  const { access_token: token } = (await (
    await page.request.post('/session/register', { data: account, headers: { origin: url } })
  ).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  const agent = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' };
  const { id } = (await (await page.request.post('/v1/agents', { data: agent, headers })).json()) as { id: string };
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const load = await cpuOf(page, async () => {
    await page.goto(`/chat?agent=${id}`);
    await page.getByRole('heading', { name: agent.name }).waitFor();
    await composer.waitFor();
  });
  await composer.fill('Go.');
  const reply = await cpuOf(page, async () => {
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Regenerate' }).waitFor({ timeout: 300_000 });
  });
  await context.close();
  return { load, reply };
}

async function cpuOfBare(browser: Browser, url: string): Promise<Cpu> {
  const page = await browser.newPage();
  const load = await cpuOf(page, async () => {
    await page.goto(url);
    await page.getByRole('button', { name: 'Start' }).waitFor();
  });
  const reply = await cpuOf(page, async () => {
    await page.keyboard.press('Enter');
    await page.waitForFunction('document.title === "done"', undefined, { timeout: 300_000 });
  });
  await page.close();
  return { load, reply };
}

/** Returns the CPU time in seconds of the page's main thread during `work`. */
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

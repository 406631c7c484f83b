import type { Browser } from 'playwright-core';
import { agentName, cpuOf, openBrowser, signUp, startConsole } from './lab/console-page.ts';
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
  const service = await startConsole(bench, { databaseUrl: await bench.createDatabase(), upstream });
  const browser = await openBrowser(bench);
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
  const { agentId } = await signUp(page, url, `bench-${round}`);
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const load = await cpuOf(page, async () => {
    await page.goto(`/chat?agent=${agentId}`);
    await page.getByRole('heading', { name: agentName }).waitFor();
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

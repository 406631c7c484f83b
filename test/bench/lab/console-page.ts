import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import type { Bench, BenchProcess } from '../row.ts';

/** Starts a browser that is closed after the row. */
export async function openBrowser(bench: Bench): Promise<Browser> {
  const { env: libraries, ...found } = await findChromium();
  const browser = await chromium.launch({ ...found, env: { ...process.env, ...libraries } as Record<string, string> });
  bench.defer(() => browser.close());
  return browser;
}

interface ConsoleOptions {
  databaseUrl: string;
  /** The floor `upstream.ts`. */
  upstream: BenchProcess;
}

/** Starts the service on a port that it knows, because the console's session is bound to its origin. */
export async function startConsole(bench: Bench, { databaseUrl, upstream }: ConsoleOptions): Promise<BenchProcess> {
  const port = await freePort();
  const env = { PORT: String(port), OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream.url}/v1` };
  return bench.startService({ databaseUrl, env });
}

export const agentName = 'Ada';

/** Signs a page in with a new account, and creates an agent. */
export async function signUp(page: Page, url: string, name: string): Promise<{ agentId: string; token: string }> {
  const data = { email: `${name}@example.com`, password: 'correct horse battery' };
  const answer = await page.request.post('/session/register', { data, headers: { origin: url } });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const agent = { name: agentName, instructions: 'You are a tutor.', greeting_message: 'Hello!' };
  const { id } = await post(page, token, '/v1/agents', agent);
  return { agentId: id, token };
}

export async function post(page: Page, token: string, path: string, data: object): Promise<{ id: string }> {
  const answer = await page.request.post(path, { data, headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as { id: string };
}

/** CPU seconds of the page's main thread during some work. */
export async function cpuOf(page: Page, work: () => Promise<void>): Promise<number> {
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

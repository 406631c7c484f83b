import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { agentName, cpuOf, openBrowser, post, signUp, startConsole } from './lab/console-page.ts';
import { median, quantile, quartiles } from './lab/statistics.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** How long a person waits for the console. */
export const rows: BenchRow[] = [{ name: 'P43', title: 'what a person waits for in the console', measure }];

const stored = 500;
/** The page keeps no more. */
const shown = 400;
/** A phone: a quarter of the speed, 1.6 Mbit/s, 150 ms. */
const phone = { slowdown: 4, bytesPerSecond: 200_000, latencyMs: 150 };
const question = 'What is a prime number, and why?';
/** A reply is watched while it grows to so many words. */
const words = { quick: 200, full: 1_000 };

/** Milliseconds. */
interface Waits {
  signIn: number;
  conversation: number;
  /** Of a key in the message field. */
  key: number;
  /** Processor time of the main thread for one, without any slowdown. */
  keyCpu: number;
  /** Of any other key or click. */
  action: number;
  frame: number;
  stop: number;
}

async function measure(bench: Bench): Promise<Figure[]> {
  const upstream = await bench.startFloor('upstream.ts', { DELTAS: '20000', DELTA_MS: '5', RICH: 'yes' });
  const databaseUrl = await bench.createDatabase();
  const { url } = await startConsole(bench, { databaseUrl, upstream });
  const browser = await openBrowser(bench);
  const db = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  bench.defer(() => db.end());
  const all: Waits[] = [];
  for (let round = 0; round < (bench.isQuick ? 1 : 5); round++) {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const { agentId, token } = await signUp(page, url, `bench-${round}`);
    const { id } = await post(page, token, '/v1/conversations', { agent_id: agentId });
    await fill(db, id);
    const signIn = await signInPaint(browser, url);
    const conversation = await conversationPaint(page, id);
    const { key, keyCpu, action } = await slowestInteractions(page, bench);
    const { frame, stop } = await streaming(context, agentId, bench.isQuick ? words.quick : words.full);
    await context.close();
    all.push({ signIn, conversation, key, keyCpu, action, frame, stop });
    bench.say(`round ${round + 1}: ${JSON.stringify(all.at(-1))}`);
  }
  const figure = (what: string, of: keyof Waits, atMost?: number): Figure => ({
    what,
    value: median(all.map((waits) => waits[of])),
    unit: 'ms',
    quartiles: quartiles(all.map((waits) => waits[of])),
    ...(bench.isQuick || atMost === undefined ? {} : { goal: { atMost } }),
  });
  return [
    figure('largest paint of the sign-in page on a slow phone', 'signIn', 1_800),
    figure(`largest paint of a conversation of ${stored} messages there`, 'conversation', 2_800),
    figure(`slowest key in the message field at a quarter of the speed, ${shown} messages shown`, 'key', 200),
    figure('slowest other key or click there', 'action', 200),
    figure('CPU of a key in the message field', 'keyCpu'),
    figure('a frame while a reply streams, p95', 'frame', 34),
    figure('from "Stop" until the reply has ended', 'stop', 500),
  ];
}

/** Puts messages into a conversation, after its greeting. */
const fill = (db: pg.Pool, conversationId: string) =>
  db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, parent_id, active, created_at)
     select 'msg_' || md5($1 || i)::uuid, $1, c.user_id, i + 10, case when i % 2 = 1 then 'user' else 'assistant' end,
       'Message number ' || i || '. ' || repeat('It has *some* words. ', 20), 'msg_' || md5($1 || (i - 1))::uuid, true,
       now() + i * interval '1 ms'
     from generate_series(1, $2::int) i cross join conversations c where c.id = $1`,
    [conversationId, stored],
  );

async function signInPaint(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage({ baseURL: url, viewport: { width: 390, height: 844 } });
  const devtools = await slowedDown(page);
  const paint = await largestPaint(page, '/sign-in', () => page.getByRole('button', { name: 'Sign in' }).waitFor());
  await devtools.detach();
  await page.close();
  return paint;
}

async function conversationPaint(page: Page, id: string): Promise<number> {
  const devtools = await slowedDown(page);
  const paint = await largestPaint(page, `/chat/${id}`, () => page.getByText(`Message number ${stored}.`).waitFor());
  // Detaching ends the emulation.
  await devtools.detach();
  return paint;
}

async function slowedDown(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  const { slowdown, bytesPerSecond, latencyMs } = phone;
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return devtools;
}

/** When the largest part of a page was painted, after its navigation began. */
async function largestPaint(page: Page, path: string, isShown: () => Promise<void>): Promise<number> {
  await page.goto(path);
  await isShown();
  // Later and larger parts count, too.
  await sleep(1_000);
  return Number(
    await page.evaluate(`new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true }))`),
  );
}

/** The longest of the interactions of a person who writes, opens menus and moves on (INP). */
async function slowestInteractions(page: Page, bench: Bench): Promise<Pick<Waits, 'key' | 'keyCpu' | 'action'>> {
  const loaded = async (): Promise<number> =>
    Number(await page.evaluate('document.querySelectorAll("article").length'));
  for (let count = await loaded(); count < shown - 50; count = await loaded()) {
    await page.getByRole('button', { name: 'Earlier messages' }).click();
    await eventually(async () => (await loaded()) > count, { what: 'earlier messages' });
  }
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.focus();
  const type = (): Promise<void> => page.keyboard.type(question, { delay: 60 });
  const keyCpu = ((await cpuOf(page, type)) / question.length) * 1_000;
  await field.fill('');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: phone.slowdown });
  await page.evaluate(`{
    globalThis.interactions = [];
    new PerformanceObserver((list) => interactions.push(...list.getEntries().filter(({ interactionId }) => interactionId)))
      .observe({ type: 'event', durationThreshold: 16 });
  }`);
  /** Quicker ones are not reported. */
  const slowest = async (what: string): Promise<number> => {
    // An entry comes after the frame that shows what the interaction did.
    await sleep(1_000);
    const longest = (await page.evaluate(`interactions.splice(0).map(({ duration }) => duration)`)) as number[];
    bench.say(`${what}: ${Math.max(16, ...longest)} ms`);
    return Math.max(16, ...longest);
  };
  await field.focus();
  await type();
  const key = await slowest('keys');
  await page.getByRole('button', { name: 'Conversation menu' }).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  const menu = await slowest('menu');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('agents', { delay: 60 });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const palette = await slowest('palette');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  const navigation = await slowest('navigation');
  await devtools.detach();
  return { key, keyCpu, action: Math.max(menu, palette, navigation) };
}

/** The frames of a page while a reply grows, and how long it takes to stop it, without any slowdown. */
async function streaming(
  context: BrowserContext,
  agentId: string,
  count: number,
): Promise<Pick<Waits, 'frame' | 'stop'>> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/chat?agent=${agentId}`);
  await page.getByRole('heading', { name: agentName }).waitFor();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go.');
  await page.keyboard.press('Enter');
  const reply = page.getByRole('article', { name: agentName }).last();
  const written = async (): Promise<number> => (await reply.innerText()).split(/\s+/).length;
  await reply.getByText('Section 1').waitFor();
  await page.evaluate(`{
    globalThis.frames = [];
    let last = performance.now();
    const note = (now) => { frames.push(now - last); last = now; requestAnimationFrame(note); };
    requestAnimationFrame(note);
  }`);
  // Seldom: reading a text lays out the page.
  while ((await written()) < count) await sleep(1_000);
  const frames = (await page.evaluate('frames')) as number[];
  const stop = Number(
    await page.evaluate(`new Promise((done) => {
      const find = (name) => document.querySelector('button[aria-label="' + name + '"]');
      const start = performance.now();
      const look = () => (find('Stop') ? requestAnimationFrame(look) : done(performance.now() - start));
      find('Stop').click();
      look();
    })`),
  );
  await page.getByText('Stopped', { exact: true }).waitFor();
  await page.close();
  return { frame: quantile(frames, 0.95), stop };
}

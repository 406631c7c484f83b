import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkPrices } from '../../src/providers/stripe/check-prices.ts';
import { setUpStripe } from '../../src/providers/stripe/setup.ts';

/** A minimal simulator of Stripe for the set-up: it stores and lists what is posted. */
const account = new Map<string, Record<string, string>[]>();
let requests = 0;

const server = createServer((req, res) => {
  void answer(req).then((body) => {
    res.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body ?? { error: { type: 'invalid_request_error', code: 'resource_missing' } }));
  });
});

async function answer(req: IncomingMessage): Promise<unknown> {
  requests += 1;
  const url = new URL(req.url ?? '', 'http://stripe');
  const things = account.get(url.pathname) ?? [];
  if (req.method === 'GET' && /^\/v1\/prices\/./.test(url.pathname)) {
    const price = account.get('/v1/prices')?.find(({ id }) => url.pathname.endsWith(`/${id}`));
    const recurring = { interval: price?.['recurring[interval]'], interval_count: 1 };
    return price ? { ...price, active: true, recurring } : null;
  }
  if (req.method === 'GET') {
    const wanted = [url.searchParams.get('ids[0]'), url.searchParams.get('lookup_keys[0]')].find((value) => value);
    const data = things.filter((thing) => !wanted || thing['id'] === wanted || thing['lookup_key'] === wanted);
    return { object: 'list', data, has_more: false };
  }
  let text = '';
  for await (const part of req) text += String(part);
  const id = `thing_${url.pathname.replaceAll('/', '_')}_${things.length}`;
  const thing = { id, status: 'enabled', secret: 'whsec_new', ...Object.fromEntries(new URLSearchParams(text)) };
  account.set(url.pathname, [...things, thing]);
  return thing;
}

let env: Record<string, string>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  env = {
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    PUBLIC_URL: 'https://chat.example.com/',
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const pricesIn = (printed: string) => JSON.parse(/^STRIPE_PRICES='(.*)'$/m.exec(printed)?.[1] ?? '{}');

test('creates products, prices, portal and endpoint once, and prints the settings', async () => {
  const printed = await setUpStripe(env);
  expect(Object.keys(pricesIn(printed))).toEqual(['plus', 'pro', 'creator']);
  expect(printed).toContain('STRIPE_WEBHOOK_SECRET=whsec_new');
  const amounts = account.get('/v1/prices')?.map((price) => `${price['lookup_key']} ${price['unit_amount']}`);
  expect(amounts).toEqual([
    'plus_month 1200',
    'plus_year 12000',
    'pro_month 3000',
    'pro_year 30000',
    'creator_month 5000',
    'creator_year 50000',
  ]);
  expect(account.get('/v1/webhook_endpoints')?.[0]).toMatchObject({
    url: 'https://chat.example.com/processor/events',
    api_version: '2026-10-28.endive',
  });
  const before = JSON.stringify([...account]);
  const again = await setUpStripe(env);
  expect(JSON.stringify([...account])).toBe(before);
  expect(pricesIn(again)).toEqual(pricesIn(printed));
});

test('startup reports every price that is missing or has another interval, and tolerates an unreachable Stripe', async () => {
  const prices = pricesIn(await setUpStripe(env));
  const options = { secretKey: 'sk_test_x', apiBase: env['STRIPE_API_BASE'] ?? null };
  const log = pino({ level: 'silent' });
  await checkPrices(options, prices, log);
  const wrong = { ...prices, plus: { month: 'price_gone', year: prices.pro.month } };
  await expect(checkPrices(options, wrong, log)).rejects.toThrow(
    /plus\.month: Stripe has no price price_gone[^]*plus\.year: .* is not billed once a year/,
  );
  await checkPrices({ ...options, apiBase: 'http://127.0.0.1:1' }, wrong, log);
  expect(requests).toBeGreaterThan(6);
});

test('a rejected key fails the startup with the reason, and a failure of Stripe is logged with its own', async () => {
  const server = createServer((request, response) => {
    const refused = request.headers.authorization === 'Bearer sk_test_revoked';
    response.writeHead(refused ? 401 : 500, { 'content-type': 'application/json', 'request-id': 'req_1' });
    response.end(
      JSON.stringify({ error: { type: 'invalid_request_error', message: 'Expired API Key: sk_test_revoked' } }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const month = { month: 'price_m', year: 'price_y' };
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const check = (secretKey: string) =>
    checkPrices({ secretKey, apiBase }, { plus: month, pro: month, creator: month }, log);
  const refusal = check('sk_test_revoked');
  await expect(refusal).rejects.toThrow(/refuses STRIPE_SECRET_KEY: StripeAuthenticationError, status 401/);
  await expect(refusal).rejects.not.toThrow(/Expired API Key/);
  await check('sk_test_x');
  expect(lines.join()).toMatch(/status 500/);
});

test('reports missing settings', async () => {
  await expect(setUpStripe({})).rejects.toThrow('STRIPE_SECRET_KEY');
  await expect(setUpStripe({ STRIPE_SECRET_KEY: 'sk_test_x' })).rejects.toThrow('PUBLIC_URL');
});

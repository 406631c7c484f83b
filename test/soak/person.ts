import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { catalog } from '../../src/app/features.ts';
import { createVisitor, type Visitor } from './visitor.ts';
import { Abandoned, type World } from './world.ts';

/** A virtual user with an account. */
export interface Person extends Visitor {
  id: string;
  username: string;
  email: string;
  password: string;
  token: string;
}

export async function register(world: World, visitor: Visitor = createVisitor(world)): Promise<Person> {
  const name = `soak-${randomUUID()}`;
  const [email, password] = [`${name}@example.com`, `a long secret ${name.slice(-6)}`];
  const body = { email, password, username: name.slice(0, 40) };
  const answer = await visitor.call('POST /auth/register', { body, whenRepeated: [409] });
  const { user, access_token: token } =
    answer.status === 201 ? answer.body : (await visitor.call('POST /auth/login', { body: { email, password } })).body;
  return { ...visitor, id: user.id, username: user.username, email, password, token };
}

/** Buys a plan on the processor's page and waits until it is active. */
export async function subscribe(world: World, person: Person, plan: 'plus' | 'pro' | 'creator'): Promise<void> {
  const as = person.token;
  const pages = { success_url: 'https://example.com/yes', cancel_url: 'https://example.com/no' };
  const body = { plan, interval: 'month', ...pages };
  const checkout = await person.call('POST /billing/checkout', { as, body });
  await world.vendors.pay(checkout.body.session_id);
  await until(world, `the plan ${plan}`, async () => {
    const { body: subscription } = await person.call('GET /billing/subscription', { as });
    return subscription.plan === plan;
  });
  world.ledger.subscribers.add(person.id);
}

/** Creates a webhook of the user for all events from now on. */
export async function listen(world: World, person: Person): Promise<void> {
  const path = `/all/${person.id}`;
  const secret = `secret-of-${person.id}`;
  world.receiver.trust(path, secret);
  const { body } = await person.call('POST /webhooks', {
    as: person.token,
    body: { url: world.receiver.url(path), events: catalog.eventTypes, secret },
  });
  world.ledger.listeners.set(path, { webhookId: body.id, userId: person.id });
}

/** Creates an agent with a greeting. */
export async function createAgent(person: Person, fields: object = {}): Promise<string> {
  const body = {
    name: 'Ada',
    instructions: 'You are Ada, a tutor. Answer briefly.',
    greeting_message: 'Hello.',
    ...fields,
  };
  return (await person.call('POST /agents', { as: person.token, body })).body.id;
}

/** Polls until the condition holds. @throws Abandoned after a finding if that takes more than a minute */
export async function until<Result>(
  world: World,
  what: string,
  check: () => Promise<Result>,
  limitMs = 60_000,
): Promise<NonNullable<Result>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (performance.now() > deadline) {
      world.findings.add('a condition that did not hold in time', what);
      throw new Abandoned();
    }
    await delay(300);
  }
}

/** Checks that every running instance refuses the credential; 503 is a refusal too. */
export async function expectRefused(world: World, visitor: Visitor, token: string): Promise<void> {
  for (const instance of world.fleet.instances) {
    if (instance.state !== 'up') continue;
    const tried = await visitor.attempt('GET', '/v1/agents', { as: token, of: instance });
    await tried?.response.arrayBuffer().catch(() => undefined);
    if (tried && ![401, 503].includes(tried.response.status))
      world.findings.add('a revoked credential was accepted', `${instance.name}: ${tried.response.status}`);
  }
}

const tokenForm = /\b(vt_|rst_)[\w-]+/;

/** Returns the newest token of a kind that was mailed to the user, or null. */
export async function findMailed(person: Person, kind: 'vt_' | 'rst_' | 'http'): Promise<string | null> {
  const headers = { accept: 'application/json' };
  const tried = await person.attempt('GET', '/dev/mail', { query: { to: person.email }, headers });
  const mails = (await tried?.response.json().catch(() => null)) as { data: { text: string }[] } | null;
  for (const { text } of mails?.data ?? []) {
    const found = kind === 'http' ? /https?:\/\/\S*\/exports?\S*/.exec(text)?.[0] : tokenForm.exec(text)?.[0];
    if (found?.startsWith(kind)) return found;
  }
  return null;
}

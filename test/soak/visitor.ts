import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type BodyInit, fetch, type FormData } from 'undici';
import type { Answer as JsonAnswer } from '../support/client.ts';
import type { RouteName } from './contract.ts';
import type { Instance } from './instance.ts';
import { Abandoned, type World } from './world.ts';

export interface Answer {
  status: number;
  headers: Headers;
  body: JsonAnswer['body'];
  bytes: Buffer;
}

export interface CallOptions {
  /** An access token or API key. */
  as?: string;
  /** Path parameters by name. */
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Creates the form for each attempt. */
  form?: () => FormData;
  headers?: Record<string, string>;
  /** Statuses that are correct besides success. */
  accept?: readonly number[];
  /** Statuses that are correct if it is unknown whether an earlier attempt took effect. */
  whenRepeated?: readonly number[];
  /** Sends only to this instance. */
  of?: Instance;
  /** Sends immediately, ignoring the rate. */
  unpaced?: boolean;
}

export interface Attempt {
  response: Response;
  /** When it was sent; `performance.now()`. */
  sentAt: number;
  /** Reports that the connection was lost while reading. @throws Abandoned after a finding, if no fault explains it */
  lost: (error: unknown) => void;
}

/** A client with its own address that retries requests that a dying instance left without a response. */
export interface Visitor {
  /** Calls a route of /v1 and checks the response against the contract. @throws Abandoned after a finding */
  call(route: RouteName, options?: CallOptions): Promise<Answer>;
  /** Makes one attempt; null if a dying instance lost the response. */
  attempt(method: string, path: string, options?: CallOptions): Promise<Attempt | null>;
  close(): Promise<void>;
}

/** Longer than the minute after which another attempt with the same key may repeat work that died with its instance. */
const patienceMs = 75_000;
const requestLimitMs = 90_000;
/** How long after a fault its effects are tolerated. */
export const aftermathMs = 20_000;

/** Statuses while the service or a vendor is unavailable. */
const isOfTrouble: ReadonlySet<number> = new Set([502, 503, 504]);

let visitors = 0;

export function createVisitor(world: World): Visitor {
  const { contract, findings, fleet, tally } = world;
  // Each has its own loopback address, so that limits by address apply to each.
  const localAddress = `127.0.${1 + Math.floor(visitors / 250)}.${1 + (visitors++ % 250)}`;
  const dispatcher = new Agent({ localAddress, connections: 16 });

  const attempt: Visitor['attempt'] = async (method, path, options = {}) => {
    if (!options.unpaced) await world.turn();
    const instance = options.of ?? (await fleet.pick());
    const { life } = instance;
    const { as, body, form, headers = {}, query } = options;
    const search = query ? `?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}` : '';
    const json = body === undefined ? undefined : JSON.stringify(body);
    const content: BodyInit | undefined = form ? form() : json;
    tally.count('requests');
    const sentAt = performance.now();
    const lost = (error: unknown) => judge(instance, life, `${method} ${path}`, error);
    try {
      const response = await fetch(`${instance.url}${path}${search}`, {
        method,
        redirect: 'manual',
        dispatcher,
        headers: {
          ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(content === undefined ? {} : { body: content }),
        signal: AbortSignal.timeout(requestLimitMs),
      });
      // Sound is passed on as the provider sends it, so that it breaks off when the provider does.
      const mayBreak = response.headers.get('content-type')?.startsWith('audio/') ?? false;
      const broken = (error: unknown) => (mayBreak && fleet.wasDisturbed(aftermathMs) ? undefined : lost(error));
      return { response: response as unknown as Response, sentAt, lost: broken };
    } catch (error) {
      lost(error);
      return null;
    }
  };

  /** Handles a lost connection: explained by a fault, or a finding. */
  const judge = (instance: Instance, life: number, what: string, error: unknown): void => {
    tally.count('connections lost');
    if (fleet.isExcused(instance, life)) return;
    const { message, cause } = error as Error;
    findings.add('a connection that was lost without a fault', `${instance.name} ${what}: ${message} ${String(cause)}`);
    throw new Abandoned();
  };

  return {
    attempt,
    async call(name, options = {}) {
      const route = contract.route(name);
      const path = `/v1${route.path.replaceAll(/:(\w+)/g, (_, key: string) => options.params?.[key] ?? '')}`;
      const isKeyed = route.method === 'POST' && options.as !== undefined;
      const headers = { ...(isKeyed ? { 'idempotency-key': randomUUID() } : {}), ...options.headers };
      const deadline = performance.now() + patienceMs;
      let isRepeated = false;
      for (;;) {
        const tried = await attempt(route.method, path, { ...options, headers });
        const answer = tried && (await read(tried));
        if (!answer) {
          isRepeated = true;
          if (performance.now() > deadline) return giveUp(name, 'no response in time');
          await delay(50);
          continue;
        }
        const { status } = answer;
        tally.count(`status ${status}`);
        const fault = contract.fault(name, answer);
        if (fault) return giveUp(name, `${status} ${fault}: ${text(answer)}`);
        const isRight = status === route.status || options.accept?.includes(status);
        if (isRight || (isRepeated && options.whenRepeated?.includes(status))) {
          tally.took(performance.now() - tried.sentAt);
          return answer;
        }
        if (!mayPass(answer, isRepeated) || performance.now() > deadline)
          return giveUp(name, `${status}: ${text(answer)}`);
        isRepeated = true;
        await delay(Math.min(1_000, Number(answer.headers.get('retry-after') ?? 0.2) * 1_000));
      }
    },
    close: () => dispatcher.destroy(),
  };

  /** Whether the response is transient: caused by a fault, or by an attempt that is still running. */
  function mayPass({ status, body }: Answer, isRepeated: boolean): boolean {
    if (isOfTrouble.has(status)) return fleet.wasDisturbed(aftermathMs);
    const code: unknown = body?.error?.code;
    return status === 409 && isRepeated && (code === 'idempotency_in_progress' || code === 'generation_in_progress');
  }

  function giveUp(name: RouteName, why: string): never {
    findings.add('a response that the contract does not allow', `${name}: ${why}`);
    throw new Abandoned(`${name}: ${why}`);
  }
}

const text = ({ bytes }: Answer): string => bytes.subarray(0, 300).toString();

/** Reads the complete response; null if the connection was lost. */
async function read({ response, lost }: Attempt): Promise<Answer | null> {
  try {
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
    const body: unknown = isJson ? JSON.parse(bytes.toString()) : null;
    return { status: response.status, headers: response.headers, body, bytes };
  } catch (error) {
    lost(error);
    return null;
  }
}

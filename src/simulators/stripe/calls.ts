import { type CustomerCall, customerRoutes, publicRoutes, readingPosts } from './api.ts';
import { type Form, HttpError, invalid, missing, textAt } from './http.ts';
import { customerWire } from './objects.ts';
import { type CustomerState, customerIdOf, customerToken, newCustomer } from './state.ts';
import type { Store } from './store.ts';

export interface ApiRequest {
  method: string;
  path: string;
  form: Form;
  idempotencyKey: string | null;
}

export interface ApiAnswer {
  status: number;
  body: unknown;
  /** The customer whose events must be sent now. */
  customerId: string | null;
  /** Whether the response is a replay for its idempotency key. */
  replayed?: boolean;
}

/**
 * Handles one API call.
 * @throws HttpError in Stripe's format
 */
export async function answerCall(store: Store, request: ApiRequest, now: number): Promise<ApiAnswer> {
  const { method, path, form } = request;
  if (method === 'POST' && path === '/v1/customers') return createCustomer(store, request, now);
  const { route, id } = routeOf(method, path);
  const open = publicRoutes[route];
  if (open) return { status: 200, body: open(id, now), customerId: null };
  const handle = customerRoutes[route];
  if (!handle)
    throw new HttpError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  const named = id || textAt(form, 'customer') || textAt(form, 'from_subscription') || '';
  const customerId = customerIdOf(named);
  if (!customerId) throw missing(named);
  const run = (state: CustomerState | null) =>
    runOnce(request, known(state, method, customerId), { id, form, now }, handle);
  const isRead = method === 'GET' || readingPosts.has(route);
  if (isRead) return { ...run(await store.find(customerId)).result, customerId: null };
  return { ...(await store.update(customerId, run)), customerId };
}

/** Resolves `/v1/subscriptions/sub_1/x` to the route `/v1/subscriptions/:id/x` and its id. */
function routeOf(method: string, path: string): { route: string; id: string } {
  let id = '';
  const parts = path.split('/').map((part) => {
    if (!/^(price|[a-z]+(_[a-z]+)*)_[0-9a-z_]*\d|^(price|clock)_/.test(part)) return part;
    id = part;
    return ':id';
  });
  return { route: `${method} ${parts.join('/')}`, id };
}

function known(state: CustomerState | null, method: string, customerId: string): CustomerState {
  if (!state || (state.deleted && method !== 'GET')) throw missing(customerId, 'customer');
  return state;
}

/** Runs a call, or replays the response for its key. Error responses are stored too. */
function runOnce(
  { method, path, form, idempotencyKey }: ApiRequest,
  state: CustomerState,
  call: Omit<CustomerCall, 'state'>,
  handle: (call: CustomerCall) => unknown,
): { state: CustomerState; result: Omit<ApiAnswer, 'customerId'> } {
  const request = `${method} ${path} ${JSON.stringify(form)}`;
  const before = idempotencyKey === null ? undefined : state.answered[idempotencyKey];
  if (before && before.request !== request) {
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
    throw new HttpError(400, { type: 'idempotency_error', message });
  }
  if (before) return { state, result: { status: before.status, body: before.body, replayed: true } };
  const changed = structuredClone(state);
  const answer = attemptCall(() => handle({ ...call, state: changed }));
  const kept = answer.status === 200 ? changed : state;
  if (idempotencyKey !== null) kept.answered[idempotencyKey] = { request, ...answer };
  return { state: kept, result: answer };
}

function attemptCall(call: () => unknown): { status: number; body: unknown } {
  try {
    return { status: 200, body: call() };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: error.status, body: { error: error.body } };
  }
}

async function createCustomer(store: Store, { form, idempotencyKey }: ApiRequest, now: number): Promise<ApiAnswer> {
  if (idempotencyKey === null) throw invalid('The simulator creates a customer only under an idempotency key.');
  const token = customerToken(idempotencyKey);
  const metadata = Object.fromEntries(
    Object.entries((form['metadata'] ?? {}) as Form).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  const body = await store.update(`cus_${token}`, (existing) => {
    const state = existing ?? newCustomer(token, textAt(form, 'email') ?? '', metadata, now);
    return { state, result: customerWire(state) };
  });
  return { status: 200, body, customerId: null };
}

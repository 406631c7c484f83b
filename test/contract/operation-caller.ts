import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { accessOf } from '../../schema/access.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';
import type { Access } from '../../schema/decorators.ts';
import type { Route } from '../../rest/routes/route.ts';
import { routes } from '../../rest/routes/routes.ts';
import { snakeCase, toWire } from '../../src/core/wire.ts';
import { type Client, readEvents } from '../support/client.ts';
import type { Args } from './operation-table.ts';

export interface Operation {
  /** `Query.agent`. */
  name: string;
  access: Access;
  field: GraphQLField<unknown, unknown>;
  route: Route | null;
}

/** An outcome in terms that REST and GraphQL share. `code` is null for success. */
export interface Outcome {
  code: string | null;
  /** The error without the request id. */
  said: string;
}

export type Transport = 'rest' | 'graphql';

/** A running service. */
export type Target = Client & { baseUrl: string };

/** Every root field of the schema, with its route if it has one. */
export function allOperations(): Operation[] {
  const schema = buildGraphqlSchema();
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}).map((field) => {
      const name = `${root?.name}.${field.name}`;
      const access = accessOf(field);
      if (access === null) throw new Error(`${name} declares no access`);
      return { name, access, field, route: routes.find(({ operation }) => operation === name) ?? null };
    }),
  );
}

export const transportsOf = ({ route }: Operation): Transport[] => (route ? ['rest', 'graphql'] : ['graphql']);

/** Calls an operation over HTTP. */
export function perform(
  app: Target,
  { name, field, route }: Operation,
  via: Transport,
  as: string | undefined,
  args: Args,
): Promise<Outcome> {
  if (via === 'rest' && route) return overRest(app, route, as, args);
  return overGraphql(app, name.split('.')[0]?.toLowerCase() ?? '', field, as, args);
}

async function overRest(app: Target, route: Route, as: string | undefined, args: Args): Promise<Outcome> {
  const inPath = new Set<string>();
  const path = route.path.replaceAll(/:([a-z_]+)/g, (_all, parameter: string) => {
    inPath.add(parameter);
    const name = Object.keys(args).find((key) => snakeCase(key) === parameter);
    return String(name && args[name]);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args))
    if (name !== 'input' && !inPath.has(snakeCase(name))) query.set(snakeCase(name), String(value));
  if (route.method === 'GET' && route.operation.startsWith('Subscription.')) {
    const opened = await openStream(app, `/v1${path}?${query}`, as);
    if (opened) return { code: null, said: '' };
  }
  const answer = await app.call(route.method, `/v1${path}?${query}`, {
    as,
    ...(route.body ? { body: bodyOf(route, args['input']) } : {}),
  });
  if (answer.status < 300) return { code: null, said: '' };
  const { request_id: _id, ...error } = answer.body.error ?? { code: `status ${answer.status}` };
  return { code: error.code, said: JSON.stringify({ ...error, status: answer.status }) };
}

/** Whether a stream, which may never end, begins. */
async function openStream(app: Target, path: string, as: string | undefined): Promise<boolean> {
  const left = new AbortController();
  const response = await app.send('GET', path, { as, signal: left.signal });
  left.abort();
  return response.ok;
}

function bodyOf({ adapter }: Route, input: unknown): unknown {
  if (adapter?.upload === undefined) return toWire(input ?? {});
  const { file, audio, ...fields } = input as { file?: { filename: string; base64: string }; audio?: string };
  const form = new FormData();
  for (const [name, value] of Object.entries(toWire(fields) as object)) form.append(name, String(value));
  const bytes = Uint8Array.from(Buffer.from(file?.base64 ?? audio ?? '', 'base64'));
  form.append(file ? 'file' : 'audio', new Blob([bytes]), file?.filename ?? 'a.wav');
  return form;
}

async function overGraphql(
  app: Target,
  kind: string,
  field: GraphQLField<unknown, unknown>,
  as: string | undefined,
  args: Args,
): Promise<Outcome> {
  const given = field.args.filter(({ name }) => args[name] !== undefined);
  const variables = Object.fromEntries(given.map(({ name, type }) => [name, named(type, args[name])]));
  const declared = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
  const inParens = (text: string) => (text ? `(${text})` : '');
  const query = `${kind} ${inParens(declared)} { ${field.name}${inParens(passed)} ${selection} }`;
  if (kind === 'subscription') return outcomeOf(await firstEvent(app, as, { query, variables }));
  return outcomeOf((await app.graphql(query, { ...(as === undefined ? {} : { as }), variables })).body);
}

/** GraphQL accepts names of enum values where REST accepts the values. */
function named(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return (value as unknown[]).map((item) => named(bare.ofType as GraphQLInputType, item));
  if (isEnumType(bare)) return bare.serialize(value);
  if (!isInputObjectType(bare)) return value;
  const fields = bare.getFields();
  return Object.fromEntries(
    Object.entries(value as Args).map(([name, item]) => [name, fields[name] ? named(fields[name].type, item) : item]),
  );
}

interface GraphqlBody {
  errors?: { message: string; extensions: { code: string } }[];
  error?: { code: string };
}

function outcomeOf({ errors: [error] = [], error: refusal }: GraphqlBody): Outcome {
  if (refusal) return { code: refusal.code, said: refusal.code };
  if (!error) return { code: null, said: '' };
  return {
    code: error.extensions.code.toLowerCase(),
    said: JSON.stringify([error.message, error.extensions]),
  };
}

async function firstEvent(app: Target, as: string | undefined, body: object): Promise<GraphqlBody> {
  const response = await app.subscribe(body, { as });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return (await response.json()) as GraphqlBody;
  const events = readEvents(response);
  const first = await events.next();
  await events.return();
  return first.value?.data ?? {};
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphqlContext } from '../../schema/context.ts';
import type { ErrorCode } from '../../src/core/errors.ts';

/** One route of /v1. A plain one is a resolver and a row; names, validation and OpenAPI follow from the schema. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to /v1. A parameter has the name of the operation's argument, in snake_case. */
  path: `/${string}`;
  /** The root field that the route projects. */
  operation: `${'Query' | 'Mutation' | 'Subscription'}.${string}`;
  /** Status of success. */
  status: 200 | 201 | 202;
  tag: string;
  summary: string;
  /** The JSON body is the argument `input`. */
  body?: 'input';
  /** The shape (a key of `shapes`) in which this route returns a type, by the type's name. */
  shapes?: Readonly<Record<string, string>>;
  /** Error codes in addition to those that follow from the access, the path and the body. */
  errors?: readonly ErrorCode[];
  /** Describes the successful response where the summary does not. */
  answer?: string;
  /**
   * How a POST treats an Idempotency-Key. By default the response is stored in the transaction of the work. `remote` work
   * calls other services, so its response is stored afterwards. On `message` routes the key names the message.
   */
  idempotency?: 'remote' | 'message';
  /** A POST that can find what it would create: then the status is 200. */
  existing?: true;
  /** A POST that needs no credential, and takes an Idempotency-Key with one. */
  credential?: 'optional';
  /** Without a credential the response may be cached by anyone for this many seconds. */
  publicMaxAge?: number;
  /** The response holds a secret: a replay is only for the credential that made the request. */
  revealsSecret?: true;
  /** Reads a body or writes a response that is not JSON. */
  adapter?: Adapter;
}

/** The rows of one file, with what they share. */
export interface RouteGroup {
  /** Heading of the routes in the documentation. */
  tag: string;
  description: string;
  routes: readonly Omit<Route, 'tag'>[];
  /** Shapes that the rows name. */
  shapes?: Shapes;
}

/** A form of a GraphQL type that leaves fields out, under its own name in OpenAPI. */
export interface Shape {
  of: string;
  omit: readonly string[];
}

export type Shapes = Readonly<Record<string, Shape>>;

/** The transport of a route whose body or response is not JSON. The operation stays the one of the schema. */
export interface Adapter {
  /** The file in the body, which is a multipart form then and JSON otherwise. */
  upload?: UploadRule;
  /** Media types of a successful response, when it is not JSON. */
  produces?: readonly MediaType[];
  /** Media types in which a successful response can be requested instead of JSON. */
  alsoProduces?: readonly MediaType[];
  /** Reads a request that `onRequest` has let pass, and sends or returns the response, as in Fastify. */
  handle(request: FastifyRequest, reply: FastifyReply, route: AdapterRoute): Promise<unknown>;
}

/** The file of an upload. */
export interface UploadRule {
  /** Name of the form's field. */
  field: string;
  maxBytes: number;
}

export interface MediaType {
  name: string;
  /** Whether the content is bytes rather than text. */
  isBinary?: boolean;
}

/** The input of an adapter: everything except reading the body and writing the response. */
export interface AdapterRoute {
  route: Route;
  /** Must run first: credential, rate limit, scope. */
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Arguments from path, query and JSON body, in the wire's names. @throws AppError `invalid_request` */
  parse: (request: FastifyRequest) => Record<string, unknown>;
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
  /** Runs the operation and returns its response as JSON text, in the shapes of the route. */
  run: (args: Record<string, unknown>, context: GraphqlContext) => Promise<string>;
  /** Runs the operation's resolver, or starts its subscription, and returns its result as it is. */
  invoke: (args: Record<string, unknown>, context: GraphqlContext) => unknown;
}

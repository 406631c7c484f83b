import { getNamedType, type GraphQLArgument, isInputObjectType, isNonNullType } from 'graphql';
import type { z } from 'zod';
import { AppError, type ErrorDetail } from '../../src/core/errors.ts';
import { brokenRules, invalidInput } from '../../src/core/input.ts';
import { snakeCase } from '../../src/core/wire.ts';
import { jsonCheck, textCheck, type Check } from './checks.ts';
import type { Operation } from './projection.ts';

export interface RawRequest {
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>;
  /** Decoded query parameters; a repeated one is a list. */
  query: Readonly<Record<string, unknown>>;
  /** The parsed JSON body; undefined without one. */
  body: unknown;
}

/** Validated arguments in wire names: only known ones, in their types. */
export type WireArguments = Record<string, unknown>;

const maxDetails = 100;

/**
 * Compiles the parser of an operation's requests from the projected types. It does not coerce: only query parameters are
 * converted from text. It keeps an explicit null and ignores unknown members. It throws AppError `invalid_request` with
 * one detail for each fault.
 */
export const requestParser = (operation: Operation): ((request: RawRequest) => WireArguments) => {
  const inPath = operation.path.map((arg) => arg.name);
  const inQuery = operation.query.map((arg) => ({ name: arg.name, check: textCheck(arg) }));
  const body = operation.body;
  const bodyCheck = body === null ? null : jsonCheck(body);
  const rules = body === null ? null : rulesOf(body);
  return (request) => {
    const args: WireArguments = {};
    const faults: ErrorDetail[] = [];
    // Ids are not validated here: a malformed id gets the same response as an unknown one.
    for (const name of inPath) args[name] = request.params[name];
    for (const { name, check } of inQuery) collect(args, name, check(request.query[name], name, faults));
    if (body !== null && bodyCheck !== null) {
      collect(args, body.name, parseBody(request.body, bodyCheck, !isNonNullType(body.type), faults));
    }
    // The operation would report broken rules only after these faults are fixed; report all at once.
    if (faults.length > 0 && body !== null && rules !== null) {
      const given = operation.rename({ [body.name]: request.body })[body.name];
      const broken = brokenRules(rules, given);
      const isNew = isNewTo(faults);
      faults.splice(0, faults.length, ...faults.map(withRuleOf(broken)), ...broken.filter(isNew));
    }
    if (faults.length > 0) throw invalidInput(faults.slice(0, maxDetails));
    return args;
  };
};

/** The operation's rules for its body, if its input type declares them. */
export const rulesOf = (body: GraphQLArgument): z.ZodType | null => {
  const type = getNamedType(body.type);
  return (isInputObjectType(type) && (type.extensions['rules'] as z.ZodType | undefined)) || null;
};

/** A number that does not fit GraphQL's `Int` is reported by the rule of its field, which knows the allowed range. */
const withRuleOf =
  (broken: readonly ErrorDetail[]) =>
  (fault: ErrorDetail): ErrorDetail => {
    // The last one, because a number above 2^53 also breaks the rule of a safe integer.
    const rule = broken.findLast(({ field, code }) => code === fault.code && snakeCase(field) === fault.field);
    return rule && (fault.code === 'too_big' || fault.code === 'too_small')
      ? { ...fault, message: rule.message }
      : fault;
  };

const isNewTo = (faults: readonly ErrorDetail[]) => {
  const named = new Set(faults.map(({ field }) => field));
  return ({ field }: ErrorDetail): boolean => !named.has(snakeCase(field));
};

const parseBody = (body: unknown, check: Check, optional: boolean, faults: ErrorDetail[]): unknown => {
  if (body === undefined && optional) return undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid_request', { message: 'The body must be a JSON object.' });
  }
  return check(body, '', faults);
};

const collect = (args: WireArguments, name: string, value: unknown): void => {
  if (value !== undefined) args[name] = value;
};

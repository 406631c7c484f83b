import { z } from 'zod';
import { AppError, type ErrorDetail } from './errors.ts';
import { count } from './text/text-input.ts';

/**
 * Validates the input of an operation and applies defaults. `null` for a whole optional argument counts as not given.
 * @throws AppError `invalid_request` with one detail per fault
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw invalidInput(result.error.issues.flatMap(detailsOf));
}

/** Returns the value rules that an input violates. Types, enums and missing fields are not checked. */
export function brokenRules(schema: z.ZodType, input: unknown): ErrorDetail[] {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success ? [] : result.error.issues.filter(({ code }) => !aboutTypes.has(code)).flatMap(detailsOf);
}

const aboutTypes: ReadonlySet<string> = new Set([
  'invalid_type',
  'invalid_value',
  'invalid_union',
  'unrecognized_keys',
]);

/** What GraphQL’s `Int` can hold. */
export const int32 = { min: -2_147_483_648, max: 2_147_483_647 } as const;

/** `from 1 to 100`, for a message about a whole number. */
export const rangeText = ({ min, max }: { min: number; max: number }): string =>
  `from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;

/** Returns 400 with a message that names the first fault, and all faults as details. */
export function invalidInput(details: ErrorDetail[]): AppError {
  const first = details[0];
  const message = first ? `${first.field || 'The input'}: ${first.message}` : undefined;
  return new AppError('invalid_request', { message, details });
}

/** Schema of an http or https URL of at most 2,048 characters, without credentials. */
export const httpUrl = () => webAddress(['http:', 'https:'], 'must be an http or https URL');

/** Schema of an https URL of at most 2,048 characters, without credentials. */
export const httpsUrl = () => webAddress(['https:'], 'must be an https URL');

const webAddress = (protocols: readonly string[], demand: string) =>
  z.string().superRefine((value, ctx) => {
    const add = (code: string, message: string) => ctx.addIssue({ code: 'custom', message, params: { code } });
    if (value.length > 2_048) return add('invalid_url', 'must be at most 2,048 characters long');
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (!url || !value.isWellFormed() || /[\s\p{Cc}]/u.test(value)) return add('invalid_url', demand);
    if (!protocols.includes(url.protocol))
      return add(url.protocol === 'http:' ? 'https_required' : 'invalid_url', demand);
    if (url.username || url.password) add('invalid_url', 'must not contain credentials');
  });

/** Of a union, the details are those of the alternative that has the type of the input, also of its items. */
function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  const { code, path } = issue;
  const ofType = code === 'invalid_union' ? closestAlternative(issue.errors) : undefined;
  if (ofType) return ofType.flatMap((one) => detailsOf({ ...one, path: [...path, ...one.path] }));
  return [{ field: fieldPath(path), ...describe(issue) }];
}

const closestAlternative = (alternatives: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined =>
  alternatives.filter((issues) => issues.every(isNotAboutTheType)).toSorted((a, b) => wrongTypes(a) - wrongTypes(b))[0];

const wrongTypes = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.filter(({ code }) => code === 'invalid_type').length;

const isNotAboutTheType = ({ code, path }: z.core.$ZodIssue): boolean => code !== 'invalid_type' || path.length > 0;

/** Formats a path such as `events[0]` or `profile.displayName`. */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');

/** Returns the code and the public message of a fault, without the field’s name. */
export function describe(issue: z.core.$ZodIssue): { code: string; message: string } {
  switch (issue.code) {
    case 'custom':
      return { code: String(issue.params?.code ?? 'invalid'), message: issue.message };
    case 'invalid_type':
      if (issue.input === undefined) return { code: 'required', message: 'is required' };
      if (issue.input === null) return { code: 'not_nullable', message: 'must not be null' };
      return { code: 'invalid_type', message: `must be ${withArticle(issue.expected)}` };
    case 'invalid_value':
      return { code: 'invalid_value', message: `must be one of ${issue.values.map(String).join(', ')}` };
    case 'too_small':
      return {
        code: 'too_small',
        message:
          hasSize(issue.origin) && Number(issue.minimum) === 1
            ? 'must not be empty'
            : `must ${sizeVerb(issue.origin)} at least ${size(issue.origin, issue.minimum)}`,
      };
    case 'too_big':
      return {
        code: 'too_big',
        message: `must ${sizeVerb(issue.origin)} at most ${size(issue.origin, issue.maximum)}`,
      };
    case 'invalid_union': {
      const types = issue.errors
        .flat()
        .flatMap((one) => (one.code === 'invalid_type' ? [withArticle(one.expected)] : []));
      return { code: 'invalid_type', message: `must be ${types.join(' or ')}` };
    }
    default:
      return { code: issue.code, message: issue.message };
  }
}

const hasSize = (origin: string): boolean => origin === 'array' || origin === 'string';

const sizeVerb = (origin: string): string => (hasSize(origin) ? 'have' : 'be');

function size(origin: string, n: number | bigint): string {
  if (origin === 'array') return count(Number(n), 'item');
  if (origin === 'string') return count(Number(n), 'character');
  return Number(n).toLocaleString('en-US');
}

function withArticle(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

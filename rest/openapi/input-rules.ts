import { z } from 'zod';
import { snakeCase } from '../../src/core/wire.ts';

export const rejectsNull = (rule: z.ZodType): boolean => !rule.safeParse(null).success;

/** Returns the rule of a field, by its name on the wire; undefined if the rules do not describe it. */
export function ruleOfField(rules: z.ZodType, name: string): z.ZodType | undefined {
  const object = unwrapped(rules);
  if (!(object instanceof z.ZodObject)) return undefined;
  const [, rule] = Object.entries(object.shape).find(([field]) => snakeCase(field) === name) ?? [];
  return rule as z.ZodType | undefined;
}

/** Returns the rule of a list's items; undefined if the rule does not describe a list. */
export function ruleOfItem(rule: z.ZodType): z.ZodType | undefined {
  const list = unwrapped(rule);
  return list instanceof z.ZodArray ? (list.element as z.ZodType) : undefined;
}

/** Returns what an optional, nullable or transformed rule accepts when a value is present. */
function unwrapped(rule: z.ZodType): z.ZodType {
  if (rule instanceof z.ZodPipe) return unwrapped(rule.in as z.ZodType);
  if (rule instanceof z.ZodOptional || rule instanceof z.ZodNullable || rule instanceof z.ZodDefault)
    return unwrapped(rule.unwrap() as z.ZodType);
  return rule;
}

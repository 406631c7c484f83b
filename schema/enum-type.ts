import { registerEnumType } from 'type-graphql';

/**
 * Registers an enum with a description for each of its wire values. The name of a value in GraphQL is in upper case:
 * `agents:read` becomes AGENTS_READ.
 */
export function enumType<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): Readonly<Record<string, Value>> {
  const described = Object.entries<string>(values).map(
    ([value, text]) => [value.toUpperCase().replace(/[^A-Z0-9]/g, '_'), value as Value, text] as const,
  );
  const object = Object.fromEntries(described.map(([key, value]) => [key, value]));
  const valuesConfig = Object.fromEntries(described.map(([key, , text]) => [key, { description: text }]));
  registerEnumType(object, { name, description, valuesConfig });
  return object;
}

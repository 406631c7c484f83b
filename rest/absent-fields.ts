import { getNullableType, isListType, isObjectType, type GraphQLOutputType } from 'graphql';

/** Takes the absent fields out of a fresh result, in place. */
export type Prune = (value: unknown) => void;

/**
 * Compiles, for one operation's type, the removal of fields that are absent while null (`@AbsentWhenNull`). Null when
 * the type has none anywhere, which is most of them: then nothing walks the result.
 */
export const compilePrune = (type: GraphQLOutputType): Prune | null => {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const prune = compilePrune(nullable.ofType as GraphQLOutputType);
    return prune && ((value) => (value as unknown[] | null)?.forEach(prune));
  }
  if (!isObjectType(nullable)) return null;
  const absent: string[] = [];
  const nested: [string, Prune][] = [];
  for (const field of Object.values(nullable.getFields())) {
    if (field.extensions.absentWhenNull === true) absent.push(field.name);
    const prune = compilePrune(field.type);
    if (prune !== null) nested.push([field.name, prune]);
  }
  if (absent.length === 0 && nested.length === 0) return null;
  return (value) => {
    if (value === null || value === undefined) return;
    const object = value as Record<string, unknown>;
    // JSON leaves undefined out; deleting would cost the object its shape.
    for (const name of absent) if (object[name] === null) object[name] = undefined;
    for (const [name, prune] of nested) prune(object[name]);
  };
};

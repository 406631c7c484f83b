import { getNullableType, isListType, isObjectType, type GraphQLOutputType } from 'graphql';

/** Removes absent fields from a result in place. */
export type Prune = (value: unknown, hasCredential: boolean) => void;

/**
 * Compiles, for the type of an operation, the removal of fields that are absent while null (`@AbsentWhenNull`) or
 * without a credential (`@AbsentWithoutCredential`). Returns null when the type has no such field, as most do, so that its results need not be traversed.
 */
export const compilePrune = (type: GraphQLOutputType): Prune | null => {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const prune = compilePrune(nullable.ofType as GraphQLOutputType);
    if (!prune) return null;
    return (value, hasCredential) => (value as unknown[] | null)?.forEach((item) => prune(item, hasCredential));
  }
  if (!isObjectType(nullable)) return null;
  const absent: string[] = [];
  const personal: string[] = [];
  const nested: [string, Prune][] = [];
  for (const field of Object.values(nullable.getFields())) {
    if (field.extensions.absentWhenNull === true) absent.push(field.name);
    if (field.extensions.absentWithoutCredential === true) personal.push(field.name);
    const prune = compilePrune(field.type);
    if (prune !== null) nested.push([field.name, prune]);
  }
  if (absent.length === 0 && personal.length === 0 && nested.length === 0) return null;
  return (value, hasCredential) => {
    if (value === null || value === undefined) return;
    const object = value as Record<string, unknown>;
    // JSON omits undefined. Deleting the property would change the object's hidden class.
    for (const name of absent) if (object[name] === null) object[name] = undefined;
    if (!hasCredential) for (const name of personal) object[name] = undefined;
    for (const [name, prune] of nested) prune(object[name], hasCredential);
  };
};

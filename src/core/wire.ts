/** Converts `displayName` to `display_name`, the form in REST and in event data. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns a copy for the wire: snake_case keys at every depth, dates as ISO 8601 in UTC with milliseconds. */
export function toWire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toWire);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), toWire(item)]));
}

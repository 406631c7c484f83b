/** A JSON Schema, as OpenAPI 3.1 uses it. */
export type JsonSchema = Record<string, unknown>;

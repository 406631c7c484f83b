/**
 * A scalar value that is not JSON, such as a stream. Only REST passes such values through the schema; GraphQL clients
 * cannot, because JSON contains no class instances.
 */
export class NativeValue<Value> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

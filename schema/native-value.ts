/**
 * A value for a scalar that did not come as JSON, such as a stream. REST passes one through the schema; no client can,
 * because JSON has no instances of a class.
 */
export class NativeValue<Value> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * Yields the values of a stream of JSON lines. Lines end at the byte LF and nowhere else: `JSON.stringify` escapes it in
 * every text, but not U+2028 and U+2029, at which `node:readline` also splits.
 * @throws SyntaxError for a line that is not JSON
 */
export async function* readJsonLines<Value>(source: AsyncIterable<Buffer>): AsyncGenerator<Value, void, void> {
  let parts: Buffer[] = [];
  for await (const bytes of source) {
    let from = 0;
    for (let end = bytes.indexOf(lf); end >= 0; end = bytes.indexOf(lf, from)) {
      yield JSON.parse(Buffer.concat([...parts, bytes.subarray(from, end)]).toString()) as Value;
      parts = [];
      from = end + 1;
    }
    if (from < bytes.length) parts.push(bytes.subarray(from));
  }
}

const lf = 0x0a;

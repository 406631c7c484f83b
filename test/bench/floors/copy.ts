import type pg from 'pg';

/** A row of binary COPY: a field is text, bytes, an int4 or a float4. @see https://www.postgresql.org/docs/current/sql-copy.html */
export type CopyField = string | Buffer | { int4: number } | { float4: number };

const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const trailer = Buffer.from([0xff, 0xff]);

/** Runs `copy … from stdin (format binary)` with these rows. */
export function copyRows(client: pg.ClientBase, text: string, rows: readonly (readonly CopyField[])[]): Promise<void> {
  const data = Buffer.concat([signature, ...rows.flatMap(encodeRow), trailer]);
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    client.query({
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(data);
        connection.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => (failure = error),
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    } as unknown as pg.Submittable);
  });
}

/** The part of pg's connection for COPY, which its types omit. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(data: Buffer): void;
  endCopyFrom(): void;
}

function encodeRow(fields: readonly CopyField[]): Buffer[] {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  return [count, ...fields.flatMap(encodeField)];
}

function encodeField(field: CopyField): Buffer[] {
  const bytes = bytesOf(field);
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return [length, bytes];
}

function bytesOf(field: CopyField): Buffer {
  if (typeof field === 'string') return Buffer.from(field);
  if (Buffer.isBuffer(field)) return field;
  const four = Buffer.alloc(4);
  if ('int4' in field) four.writeInt32BE(field.int4);
  else four.writeFloatBE(field.float4);
  return four;
}

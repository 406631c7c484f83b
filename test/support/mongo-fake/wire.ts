import type { Socket } from 'node:net';
import { deserialize, type Document, serialize } from 'bson';

const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;
const headerBytes = 16;
const checksumPresent = 1;

/** A received command, with the document sequences of its message merged in. */
export interface Command {
  requestId: number;
  opCode: number;
  document: Document;
}

/** Calls `onCommand` for each complete message of the MongoDB wire protocol on the socket. */
export function readCommands(socket: Socket, onCommand: (command: Command) => void): void {
  let buffered = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= headerBytes && buffered.length >= buffered.readInt32LE(0)) {
      const message = buffered.subarray(0, buffered.readInt32LE(0));
      buffered = buffered.subarray(message.length);
      onCommand(parse(message));
    }
  });
}

function parse(message: Buffer): Command {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === opMsg) return { requestId, opCode, document: parseSections(message) };
  if (opCode === opQuery) return { requestId, opCode, document: parseQuery(message) };
  throw new Error(`opcode ${opCode} is not spoken here`);
}

/** @see https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/#op_msg */
function parseSections(message: Buffer): Document {
  const end = message.length - (message.readInt32LE(headerBytes) & checksumPresent ? 4 : 0);
  const document: Document = {};
  for (let at = headerBytes + 4; at < end;) {
    const kind = message.readUInt8(at++);
    const sizeBytes = message.readInt32LE(at);
    const section = message.subarray(at, at + sizeBytes);
    at += sizeBytes;
    if (kind === 0) {
      Object.assign(document, deserialize(section));
      continue;
    }
    const nameEnd = section.indexOf(0, 4);
    const documents: Document[] = [];
    for (let next = nameEnd + 1; next < section.length; next += section.readInt32LE(next)) {
      documents.push(deserialize(section.subarray(next, next + section.readInt32LE(next))));
    }
    document[section.toString('utf8', 4, nameEnd)] = documents;
  }
  return document;
}

/** The legacy format, which drivers still use for their first hello. */
function parseQuery(message: Buffer): Document {
  const collectionEnd = message.indexOf(0, headerBytes + 4);
  return deserialize(message.subarray(collectionEnd + 1 + 8));
}

export function writeReply(socket: Socket, { requestId, opCode }: Command, document: Document): void {
  const body = serialize(document, { ignoreUndefined: true });
  const preamble = opCode === opMsg ? Buffer.alloc(5) : Buffer.alloc(20);
  if (opCode !== opMsg) preamble.writeInt32LE(1, 16);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + preamble.length + body.length, 0);
  header.writeInt32LE(requestId, 8);
  header.writeInt32LE(opCode === opMsg ? opMsg : opReply, 12);
  socket.write(Buffer.concat([header, preamble, body]));
}

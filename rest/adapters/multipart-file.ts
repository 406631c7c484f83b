import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../../src/core/errors.ts';

interface UploadRule {
  /** Name of the file field. */
  field: string;
  maxBytes: number;
}

interface Upload {
  /** As the client says. */
  filename: string;
  /** To be read once; @throws AppError `payload_too_large` after `maxBytes`, `invalid_request` when the form breaks off */
  content: AsyncIterable<Buffer>;
}

/** What a form may hold around its file. */
const formBytes = 65_536;

/** Makes a scope, and no other, take multipart forms with one file of at most `maxBytes`. */
export async function acceptUploads(scope: FastifyInstance, { maxBytes }: UploadRule): Promise<void> {
  const limits = { fileSize: maxBytes, files: 5, fields: 20, parts: 25, fieldSize: formBytes, headerPairs: 50 };
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
}

/**
 * Hands the file of a form to `use` while it still comes, and lets the rest of the body run out whatever happens.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `invalid_request`, and what `use` throws
 */
export async function receiveUpload<Result>(
  request: FastifyRequest,
  rule: UploadRule,
  use: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  if (!request.isMultipart())
    throw new AppError('unsupported_media_type', {
      message: `The body must be multipart/form-data, with a file field named ${rule.field}.`,
    });
  if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + formBytes) throw tooLarge(rule);
  try {
    return await use(await findFile(request, rule));
  } finally {
    // What is not read would block the connection's next request.
    request.raw.unpipe();
    request.raw.resume();
  }
}

async function findFile(request: FastifyRequest, rule: UploadRule): Promise<Upload> {
  const parts = request.parts()[Symbol.asyncIterator]();
  for (;;) {
    const { done, value: part } = await parts.next().catch(refuseForm);
    if (done) throw invalidField(rule.field, 'required', `${rule.field} is required: a file in a multipart form`);
    if (part.type !== 'file') continue;
    if (part.fieldname === rule.field) return { filename: part.filename ?? '', content: read(part.file, rule) };
    part.file.resume();
  }
}

async function* read(file: AsyncIterable<Buffer> & { truncated: boolean }, rule: UploadRule): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    refuseForm(error);
  }
  // The parser stops at the limit without an error.
  if (file.truncated) throw tooLarge(rule);
}

/** The parser's own errors speak of its inside; those of its limits have codes that the error table knows. */
function refuseForm(error: unknown): never {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code.endsWith('_LIMIT')) throw error;
  throw new AppError('invalid_request', { message: 'The body is not a valid multipart form.', cause: error });
}

const tooLarge = ({ field, maxBytes }: UploadRule): AppError =>
  new AppError('payload_too_large', { message: `The ${field} must have at most ${maxBytes / 1_048_576} MB.` });

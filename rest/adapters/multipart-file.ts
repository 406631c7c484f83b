import multipart, { type Multipart, type MultipartValue } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../../src/core/ctx.ts';
import { AppError, invalidField } from '../../src/core/errors.ts';
import { reserveUpload } from '../../src/core/http/temporary-uploads.ts';
import { noteReceived } from '../../src/core/process/collect-garbage.ts';
import type { UploadRule } from '../routes/route.ts';

interface Upload {
  /** As declared by the client. */
  filename: string;
  /** Can be read once. @throws AppError `payload_too_large` after `maxBytes`, `invalid_request` when the form is truncated */
  content: AsyncIterable<Buffer>;
}

/** Size limit of a form without its file. */
const formBytes = 65_536;

/** Makes one scope accept multipart forms with a file of at most `maxBytes`. */
export async function acceptUploads(scope: FastifyInstance, { maxBytes }: UploadRule): Promise<void> {
  const limits = { fileSize: maxBytes, files: 5, fields: 20, parts: 25, fieldSize: formBytes, headerPairs: 50 };
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
}

/**
 * Passes the file of a form to `use` while it arrives, and drains the rest of the body in any case.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `rate_limited` or `unavailable` while too many uploads are
 * in progress, `invalid_request`, and what `use` throws
 */
export async function receiveUpload<Result>(
  ctx: Ctx,
  request: FastifyRequest,
  rule: UploadRule,
  use: (upload: Upload, rest: AsyncIterator<Multipart>) => Promise<Result>,
  fields: Record<string, string> = {},
): Promise<Result> {
  if (!request.isMultipart())
    throw new AppError('unsupported_media_type', {
      message: `The body must be multipart/form-data, with a file field named ${rule.field}.`,
    });
  const declaredBytes = Number(request.headers['content-length'] ?? rule.maxBytes);
  if (declaredBytes > rule.maxBytes + formBytes) throw tooLarge(rule);
  const release = reserveUpload(ctx, declaredBytes);
  try {
    const parts = request.parts()[Symbol.asyncIterator]();
    return await use(await findFile(parts, rule, fields), parts);
  } finally {
    release();
    // Unread data would block the connection's next request.
    request.raw.unpipe();
    request.raw.resume();
  }
}

/**
 * Like `receiveUpload`, for a form with more fields: `readFields` reads those before and after the file once the file was read.
 * A second file in the field of the first is rejected.
 */
export async function receiveForm<Result>(
  ctx: Ctx,
  request: FastifyRequest,
  rule: UploadRule,
  use: (upload: Upload, readFields: () => Promise<Readonly<Record<string, string>>>) => Promise<Result>,
): Promise<Result> {
  const fields: Record<string, string> = {};
  return receiveUpload(
    ctx,
    request,
    rule,
    (upload, parts) =>
      use(upload, async () => {
        for (let part = await nextPart(parts); part; part = await nextPart(parts)) {
          if (part.type !== 'file') note(fields, part);
          else if (part.fieldname === rule.field)
            throw invalidField(rule.field, 'repeated', `${rule.field} must be sent only once`);
          else part.file.resume();
        }
        return fields;
      }),
    fields,
  );
}

const nextPart = async (parts: AsyncIterator<Multipart>): Promise<Multipart | undefined> =>
  (await parts.next().catch(refuseForm)).value as Multipart | undefined;

/** Records a field. When a field is repeated, its first value counts. */
function note(fields: Record<string, string>, { fieldname, value }: MultipartValue): void {
  if (typeof value === 'string' && !Object.hasOwn(fields, fieldname)) fields[fieldname] = value;
}

async function findFile(
  parts: AsyncIterator<Multipart>,
  rule: UploadRule,
  fields: Record<string, string>,
): Promise<Upload> {
  for (;;) {
    const part = await nextPart(parts);
    if (!part) throw invalidField(rule.field, 'required', `${rule.field} is required: a file in a multipart form`);
    if (part.type !== 'file') note(fields, part);
    else if (part.fieldname === rule.field)
      return { filename: unescaped(part.filename ?? ''), content: read(part.file, rule) };
    else part.file.resume();
  }
}

/** Reverts how the HTML standard encodes a file name in a form: it escapes these three characters, and not `%` itself. */
const unescaped = (filename: string): string =>
  filename.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');

async function* read(file: AsyncIterable<Buffer> & { truncated: boolean }, rule: UploadRule): AsyncGenerator<Buffer> {
  try {
    for await (const bytes of file) {
      noteReceived(bytes.length);
      yield bytes;
    }
  } catch (error) {
    refuseForm(error);
  }
  // The parser stops at the limit without an error.
  if (file.truncated) throw tooLarge(rule);
}

/** The parser's messages expose internals. Errors of its limits pass: their codes map to the error table. */
function refuseForm(error: unknown): never {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code.endsWith('_LIMIT')) throw error;
  throw new AppError('invalid_request', { message: 'The body is not a valid multipart form.', cause: error });
}

const tooLarge = ({ field, maxBytes }: UploadRule): AppError =>
  new AppError('payload_too_large', { message: `The ${field} must not exceed ${maxBytes / 1_048_576} MB.` });

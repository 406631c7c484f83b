import { spoolUpload } from '../../src/images/spool-upload.ts';
import { discardReceived, receiveImage } from '../../src/images/upload-image.ts';
import { maxImageBytes } from '../../src/images/encoding/image-limits.ts';
import { invalidField } from '../../src/core/errors.ts';
import { NativeValue } from '../../schema/native-value.ts';
import { runOnce, sendResponse } from '../idempotent.ts';
import type { Adapter } from '../routes/route.ts';
import { receiveForm } from './multipart-file.ts';

const rule = { field: 'file', maxBytes: maxImageBytes };

/**
 * Image upload: the part `file` and the fields `kind`, `agent_id` and `apply` of a multipart body. The image is encoded before the
 * operation, which may run in a transaction; the digest of the file identifies the body of an idempotent request.
 */
export const imageUploadAdapter: Adapter = {
  upload: rule,
  handle: async (request, reply, { route, context, run }) => {
    const ctx = context(request, reply);
    return receiveForm(ctx, request, rule, ({ content }, readFields) =>
      spoolUpload(ctx, content, async (file) => {
        const fields = await readFields();
        const input = inputOf(fields);
        const received = await receiveImage(ctx, file, { ...input, agentId: input.agent_id });
        try {
          const args = { input: { ...input, file: new NativeValue(received) } };
          const body = { ...input, digest: file.digest };
          const answer = await runOnce({ route, request, context: ctx, body }, (inner) => run(args, inner));
          if (answer.replayed) await discardReceived(ctx, received);
          return await sendResponse(reply, answer);
        } catch (error) {
          await discardReceived(ctx, received);
          throw error;
        }
      }),
    );
  },
};

interface UploadFields {
  kind?: string;
  agent_id?: string;
  apply?: boolean;
}

/** Converts the fields of the form, which are all text. @throws AppError `invalid_request` */
function inputOf({ kind, agent_id: agentId, apply }: Readonly<Record<string, string>>): UploadFields {
  if (apply !== undefined && apply !== 'true' && apply !== 'false')
    throw invalidField('apply', 'invalid_type', 'apply: must be true or false');
  return {
    ...(kind !== undefined && { kind }),
    ...(agentId && { agent_id: agentId }),
    ...(apply !== undefined && { apply: apply === 'true' }),
  };
}

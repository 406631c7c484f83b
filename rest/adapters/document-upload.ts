import { maxDocumentBytes } from '../../src/knowledge/document-content.ts';
import { discardFile, receiveFile } from '../../src/knowledge/upload-document.ts';
import { NativeValue } from '../../schema/native-value.ts';
import { runOnce, sendResponse } from '../idempotent.ts';
import type { Adapter } from '../routes/route.ts';
import { receiveForm } from './multipart-file.ts';

const rule = { field: 'file', maxBytes: maxDocumentBytes };

/**
 * Document upload: the part `file` and the fields `replaces` and `encoding` of a multipart body. The file is stored as it arrives,
 * before the operation, because the operation may run in a transaction and the digest of the file identifies the body
 * of an idempotent request.
 */
export const documentUploadAdapter: Adapter = {
  upload: rule,
  handle: async (request, reply, { route, context, run }) => {
    const ctx = context(request, reply);
    const { agent_id: agentId = '' } = request.params as { agent_id?: string };
    const { received, fields } = await receiveForm(ctx, request, rule, async (file, readFields) => {
      const stored = await receiveFile(ctx, agentId, file);
      try {
        const { replaces, encoding } = await readFields();
        return { received: stored, fields: { ...(replaces && { replaces }), ...(encoding && { encoding }) } };
      } catch (error) {
        await discardFile(ctx, stored);
        throw error;
      }
    });
    const args = { agent_id: agentId, input: { file: new NativeValue(received), ...fields } };
    const body = { filename: received.filename, digest: received.digest, ...fields };
    try {
      const answer = await runOnce({ route, request, context: ctx, body }, (inner) => run(args, inner));
      if (answer.replayed) await discardFile(ctx, received);
      return await sendResponse(reply, answer);
    } catch (error) {
      await discardFile(ctx, received);
      throw error;
    }
  },
};

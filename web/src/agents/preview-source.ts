import { ApiError } from '../api/api-error.ts';
import { PreviewStreamDocument, type PreviewStreamSubscriptionVariables } from '../api/generated/operations.ts';
import { subscribe } from '../api/subscribe.ts';
import type { ReplyEvent, ReplySource } from '../chat/replies/reply.ts';
import { texts } from './texts.ts';

const generationId = 'preview';

/** The reply of an unsaved agent. It is not stored, so it cannot be resumed after a lost connection. */
export const previewSource = (variables: PreviewStreamSubscriptionVariables): ReplySource => ({
  async *begin(signal): AsyncGenerator<ReplyEvent, void, void> {
    for await (const { previewStream: event } of subscribe(PreviewStreamDocument, variables, { signal })) {
      if (event.__typename === 'PreviewDelta') yield { ...event, __typename: 'MessageDelta', generationId };
      else if (event.__typename === 'PreviewError') yield { ...event, __typename: 'MessageError', generationId };
      else yield { __typename: 'MessageDone', messageId: null, userMessageId: '', generationId, stopped: false };
    }
  },
  // oxlint-disable-next-line require-yield -- there is nothing to resume
  async *resume() {
    throw new ApiError('CONNECTION_LOST', texts.connectionLostSendMessage);
  },
  findRunning: async () => null,
});

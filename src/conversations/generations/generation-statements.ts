import { replyStatements } from '../replies/reply-statements.ts';

export const generationStatements = replyStatements({
  name: 'generation',
  table: 'generations',
  deltas: 'generation_deltas',
  deltaKey: 'generation_id',
  thread: 'conversation_id',
  reply: 'assistant_message_id',
  account: 'user_id',
});

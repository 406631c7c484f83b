/** A turn in wire format. Its content is text or a list of parts. */
export interface ChatMessage {
  role: string;
  content: string | readonly { type: string; text?: string }[] | null;
}

export const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

export const systemText = (messages: readonly ChatMessage[]): string =>
  messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .join('\n\n');

export function lastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last ? textOf(last) : '';
}

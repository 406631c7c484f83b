/** A turn in wire format. Its content is text or a list of parts. */
export interface ChatMessage {
  role: string;
  content: string | readonly { type: string; text?: string }[] | null;
}

/** Returns the text parts of a message, joined. */
export const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

/** Returns the texts of the system and developer messages, separated by blank lines. */
export const systemText = (messages: readonly ChatMessage[]): string =>
  messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .join('\n\n');

/** Returns the text of the last user message; empty if there is none. */
export function lastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last ? textOf(last) : '';
}

import { type ExportFormat, ExportConversationDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { saveFile } from '../parts/values/save-file.ts';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';

const formats = { MARKDOWN: ['md', 'text/markdown'], JSON: ['json', 'application/json'] } as const;

export async function downloadConversation(conversationId: string, title: string, format: ExportFormat): Promise<void> {
  try {
    const { exportConversation } = await request(ExportConversationDocument, { conversationId, format });
    const [extension, type] = formats[format];
    saveFile(new Blob([exportConversation], { type }), `${fileNameOf(title)}.${extension}`);
  } catch (error) {
    notifyFailure(texts.conversationNotExported, error);
  }
}

interface ExportedConversation {
  title: string | null;
  messages: { id: string; role: string; content: string; created_at: string }[];
}

/** Saves a message and those after it, in the format of the conversation export. */
export async function downloadFrom(conversationId: string, messageId: string): Promise<void> {
  try {
    const answer = await request(ExportConversationDocument, { conversationId, format: 'JSON' });
    const { title, messages } = JSON.parse(answer.exportConversation) as ExportedConversation;
    const first = messages.findIndex(({ id }) => id === messageId);
    const parts = messages.slice(Math.max(first, 0)).map(({ role, content, created_at }) => {
      const author = role === 'user' ? texts.you : texts.agentName;
      return `## ${author}, ${created_at}\n\n${content}\n`;
    });
    saveFile(new Blob([parts.join('\n')], { type: formats.MARKDOWN[1] }), `${fileNameOf(title ?? '')}.md`);
  } catch (error) {
    notifyFailure(texts.conversationNotExported, error);
  }
}

const fileNameOf = (title: string): string => title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'conversation';

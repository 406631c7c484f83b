import { type ApiError, asApiError } from '../api/api-error.ts';
import { Chat } from './chat.ts';
import { solveChallenge } from './challenge.ts';
import { element } from './elements.ts';
import { createHeader } from './header.ts';
import type { PageData } from './page-data.ts';
import type { Texts } from './english-texts.ts';
import { VisitorApi } from './visitor-api.ts';

export interface OpenChat {
  start(): Promise<void>;
  focus(): void;
  /** Ends the session of a customer who has signed out of the website. */
  endSession(): void;
  showProblem(error: unknown): void;
}

interface OpenChatOptions {
  page: PageData;
  texts: Texts;
  /** Origin of the website. */
  origin: string;
  identity: string | undefined;
  onClose: () => void;
}

const isChallenge = ({ details }: ApiError): boolean => details.some(({ code }) => code === 'challenge_required');

/** Renders the chat of one person and replaces any other. `start` starts their session. */
export function openChat({ page, texts, origin, identity, onClose }: OpenChatOptions): OpenChat {
  const api = new VisitorApi(page.id, origin);
  api.identity = identity;
  const chat = new Chat(api, texts);
  const leave = async (query: string): Promise<void> => {
    chat.composer.setReady(false);
    await api.request(`/v1/embed/conversation${query}`, { method: 'DELETE' });
    if (query) api.forgetToken();
    await start();
    if (query) chat.thread.add(element('p', { class: 'notice', role: 'status' }, [texts.forgotten]));
  };
  const attempt = (work: Promise<void>): void => void work.catch((error: unknown) => chat.showProblem(error));
  const header = createHeader(page.title, texts, {
    onClose,
    onAnew: () => attempt(leave('')),
    onForget: () => attempt(leave('?forget=true')),
  });
  document.body.replaceChildren(header.root, chat.thread.root, chat.status, chat.composer.root);

  async function start(): Promise<void> {
    try {
      const session = await api.startSession();
      header.setAvatar(session.config.avatar_url);
      chat.show(session);
      chat.composer.focus();
    } catch (thrown) {
      const error = asApiError(thrown);
      if (!isChallenge(error) || api.challengeToken !== undefined) throw error;
      chat.thread.clear();
      api.challengeToken = await solveChallenge(page, texts, (node) => chat.thread.add(node));
      await start();
      api.challengeToken = undefined;
    }
  }

  return {
    start,
    focus: () => chat.composer.focus(),
    endSession: () => api.endSession(),
    showProblem: (error) => chat.showProblem(error),
  };
}

import { asApiError } from '../api/api-error.ts';
import { LiveReply } from '../chat/replies/live-reply.ts';
import { Composer } from './composer.ts';
import { element } from './elements.ts';
import { replySource } from './message-stream.ts';
import type { Texts } from './english-texts.ts';
import { type ReplyView, Thread } from './thread.ts';
import type { Session, VisitorApi, VisitorMessage } from './visitor-api.ts';

/** The conversation of a visitor: stored messages and the reply being generated. */
export class Chat {
  readonly thread: Thread;
  readonly composer: Composer;
  /** Live region for screen readers: announces that a reply is being written, then the complete reply. */
  readonly status = element('p', { class: 'hidden', role: 'status' });
  private readonly api: VisitorApi;
  private readonly texts: Texts;
  private name = '';
  private live: LiveReply | null = null;
  private starters: HTMLElement | null = null;

  constructor(api: VisitorApi, texts: Texts) {
    this.api = api;
    this.texts = texts;
    this.thread = new Thread(texts, (messageId, rating) => this.rate(messageId, rating));
    this.composer = new Composer(texts, {
      onSend: (content) => this.send(content),
      onStop: () => void this.api.request('/v1/embed/messages/stop', { method: 'POST' }).catch(() => undefined),
    });
  }

  /** Shows a session: the notice, then the stored messages, or the greeting with suggested questions. */
  show({ config, messages }: Session): void {
    this.live?.leave();
    this.live = null;
    this.composer.setWriting(false);
    this.name = config.agent_name;
    this.thread.clear();
    this.thread.add(element('p', { class: 'notice', dir: 'auto' }, [config.notice ?? this.texts.notice]));
    if (messages.length === 0 && config.greeting) this.thread.addReply(this.name).draw(config.greeting, true);
    for (const message of messages) this.showMessage(message);
    if (messages.length === 0) this.showStarters(config.appearance.starters);
    const last = messages.at(-1);
    // A reply may be running since before the page was loaded. Without a key, the request joins it.
    if (last?.role === 'user') this.follow(last.content, null);
    this.composer.setReady(true);
  }

  private showMessage({ id, role, content }: VisitorMessage): void {
    if (role === 'user') {
      this.thread.addQuestion(content);
      return;
    }
    const view = this.thread.addReply(this.name);
    view.draw(content, true);
    view.settle(id);
  }

  private showStarters(starters: readonly string[]): void {
    this.starters = element('div', { class: 'starters' });
    for (const starter of starters) this.starters.append(this.thread.button(starter, () => this.send(starter)));
    this.thread.add(this.starters);
  }

  private send(content: string): void {
    this.starters?.remove();
    this.thread.addQuestion(content);
    this.thread.root.scrollTop = this.thread.root.scrollHeight;
    this.follow(content, newKey());
  }

  private follow(content: string, key: string | null): void {
    const view = this.thread.addReply(this.name, true);
    this.composer.setWriting(true);
    this.status.textContent = `${this.name} ${this.texts.writing}`;
    const live: LiveReply = new LiveReply({
      question: content,
      source: replySource(this.api, content, key),
      onChange: () => this.draw(live, view),
      onDone: async ({ messageId }) => {
        view.draw(live.state.text, true);
        if (messageId) view.settle(messageId);
        else view.remove();
        this.status.textContent = live.state.text;
        this.end();
      },
    });
    this.live = live;
    void live.read();
  }

  private draw(live: LiveReply, view: ReplyView): void {
    if (this.live !== live) return;
    const { text, status, error } = live.state;
    if (text !== '') view.draw(text, false);
    if (status === 'failed' && error) {
      view.fail(error.message || this.texts.failed, () => {
        view.fail(null);
        this.composer.setWriting(true);
        void live.read();
      });
      this.end();
    } else if (status === 'waiting') view.fail(this.texts.waiting);
    else if (status === 'writing') view.fail(null);
  }

  private end(): void {
    this.composer.setWriting(false);
    this.composer.focus();
  }

  private async rate(messageId: string, rating: 'up' | 'down'): Promise<void> {
    const body = JSON.stringify({ rating });
    await this.api.request(`/v1/embed/messages/${messageId}/feedback`, { method: 'POST', body });
  }

  /** Shows why the chat is unavailable. */
  showProblem(thrown: unknown): void {
    const { code, message } = asApiError(thrown);
    const text = { NOT_FOUND: this.texts.gone, UNAUTHENTICATED: this.texts.signIn }[code] ?? message;
    this.thread.clear();
    this.thread.add(element('p', { class: 'error', role: 'alert' }, [text]));
    // The next message tries again.
    this.composer.setReady(true);
  }
}

/** Creates an idempotency key, so that a message is accepted once however often it is sent. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

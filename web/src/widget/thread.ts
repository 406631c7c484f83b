import { element, iconButton, icons } from './elements.ts';
import { MarkdownView } from './markdown-view.ts';
import type { Texts } from './english-texts.ts';

/** A reply in the thread, stored or being generated. */
export interface ReplyView {
  draw(text: string, isComplete: boolean): void;
  /** Shows an error with a retry button; null removes it. */
  fail(message: string | null, again?: () => void): void;
  /** Marks the reply as stored, so that it can be rated. */
  settle(messageId: string): void;
  remove(): void;
}

/** The messages, oldest first. Scrolls along while the reader is at the end. */
export class Thread {
  readonly root = element('div', { class: 'thread', role: 'region', tabindex: '0' });
  private readonly texts: Texts;
  private readonly rate: (messageId: string, rating: 'up' | 'down') => Promise<void>;

  constructor(texts: Texts, rate: (messageId: string, rating: 'up' | 'down') => Promise<void>) {
    this.texts = texts;
    this.rate = rate;
    this.root.setAttribute('aria-label', texts.message);
  }

  clear(): void {
    this.root.replaceChildren();
  }

  add(node: Node): void {
    this.keepEnd(() => this.root.append(node));
  }

  addQuestion(content: string): HTMLElement {
    const said = element('p', { class: 'question', dir: 'auto' }, [
      element('span', { class: 'hidden' }, [`${this.texts.you}: `]),
      content,
    ]);
    this.add(said);
    return said;
  }

  /** `isGrowing` reserves the height of the buttons that rate it, so that nothing moves when it is stored. */
  addReply(name: string, isGrowing = false): ReplyView {
    const markdown = new MarkdownView();
    const notes = element('div', { class: 'notes' });
    notes.classList.toggle('reserved', isGrowing);
    const root = element('article', { class: 'reply', 'aria-label': name }, [markdown.root, notes]);
    this.add(root);
    return {
      draw: (text, isComplete) => this.keepEnd(() => markdown.draw(text, isComplete)),
      fail: (message, again) =>
        this.keepEnd(() => {
          notes.replaceChildren();
          if (message === null) return;
          notes.append(element('p', { class: 'error', role: 'alert' }, [message]));
          if (again) notes.append(this.button(this.texts.again, again));
        }),
      settle: (messageId) => this.keepEnd(() => notes.replaceChildren(this.rating(messageId))),
      remove: () => root.remove(),
    };
  }

  button(label: string, onPress: () => void): HTMLButtonElement {
    const button = element('button', { type: 'button', class: 'choice' }, [label]);
    button.addEventListener('click', onPress);
    return button;
  }

  private rating(messageId: string): HTMLElement {
    const buttons = element('div', { class: 'rating' });
    const add = (rating: 'up' | 'down', label: string, path: string): void => {
      const button = iconButton(label, path, () => {
        for (const other of buttons.children) other.setAttribute('aria-pressed', String(other === button));
        void this.rate(messageId, rating).catch(() => button.setAttribute('aria-pressed', 'false'));
      });
      button.setAttribute('aria-pressed', 'false');
      buttons.append(button);
    };
    add('up', this.texts.good, icons.up);
    add('down', this.texts.bad, icons.down);
    return buttons;
  }

  private keepEnd(change: () => void): void {
    const { root } = this;
    const isAtEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 60;
    change();
    if (isAtEnd) root.scrollTop = root.scrollHeight;
  }
}

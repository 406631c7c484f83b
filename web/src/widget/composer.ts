import { isComposing } from '../parts/controls/is-composing.ts';
import { element, iconButton, icons } from './elements.ts';
import type { Texts } from './english-texts.ts';

const maximumRows = 5;

/** The message field, with a button that sends the message or stops the running reply. */
export class Composer {
  readonly root: HTMLFormElement;
  private readonly field: HTMLTextAreaElement;
  private readonly sendButton: HTMLButtonElement;
  private readonly stopButton: HTMLButtonElement;
  private isReady = false;
  /** Whether the text in the field is to be sent as soon as the composer is ready. */
  private isDue = false;

  constructor(texts: Texts, { onSend, onStop }: { onSend: (content: string) => void; onStop: () => void }) {
    this.field = element('textarea', {
      rows: '1',
      dir: 'auto',
      maxlength: '32000',
      placeholder: texts.placeholder,
      'aria-label': texts.message,
    });
    this.sendButton = iconButton(texts.send, icons.send, () => undefined);
    this.sendButton.type = 'submit';
    this.sendButton.classList.add('send');
    this.stopButton = iconButton(texts.stop, icons.stop, onStop);
    this.stopButton.classList.add('send');
    this.root = element('form', { class: 'composer' }, [this.field, this.sendButton, this.stopButton]);
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      const content = this.field.value;
      if (content.trim() === '' || this.sendButton.hidden) return;
      this.isDue = !this.isReady;
      if (this.isDue) return;
      this.field.value = '';
      this.fit();
      onSend(content);
    });
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
      event.preventDefault();
      this.root.requestSubmit();
    });
    this.field.addEventListener('input', () => {
      this.isDue = false;
      this.fit();
    });
    this.setWriting(false);
  }

  focus(): void {
    this.field.focus();
  }

  /** Sets whether messages can be sent, which is so once the messages of the session are shown. */
  setReady(isReady: boolean): void {
    this.isReady = isReady;
    if (!isReady || !this.isDue) return;
    this.isDue = false;
    this.root.requestSubmit();
  }

  /** Switches the button between sending and stopping. */
  setWriting(isWriting: boolean): void {
    this.sendButton.hidden = isWriting;
    this.stopButton.hidden = !isWriting;
  }

  disable(): void {
    this.field.disabled = true;
    this.sendButton.disabled = true;
  }

  private fit(): void {
    this.field.rows = Math.min(maximumRows, this.field.value.split('\n').length);
  }
}

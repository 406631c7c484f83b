import { isComposing } from '../parts/controls/is-composing.ts';
import { openChat, type OpenChat } from './open-chat.ts';
import { textOn } from './color.ts';
import { readPageData } from './page-data.ts';
import { ParentPage } from './parent-page.ts';
import { directionOf, textsIn } from './texts.ts';
import '../styles/tokens.css';
import './frame.css';

const page = readPageData();
const language = page.language ?? navigator.language;
const texts = textsIn(language);
const { documentElement: root } = document;
root.lang = language;
root.dir = directionOf(language);
if (page.dark !== 'auto') root.dataset['theme'] = page.dark;
root.style.setProperty('--brand', page.color);
root.style.setProperty('--on-brand', textOn(page.color));

const parent = new ParentPage();
let chat: OpenChat | null = null;
let identity: string | undefined;
let isOpen = false;

const close = (): void => parent.send({ type: 'close' });
addEventListener('keydown', (event) => {
  // Escape ends an IME composition.
  if (event.key === 'Escape' && !isComposing(event)) close();
});

parent.listen((message, origin) => {
  if (message.type === 'hello') {
    const isChanged = message.identity !== identity;
    identity = message.identity;
    parent.send({
      type: 'ready',
      position: page.position,
      color: page.color,
      onColor: textOn(page.color),
      label: texts.open,
    });
    // Another person: replace the chat of the previous one.
    if (isChanged && chat) {
      chat.endSession();
      chat = openChat({ page, texts, origin, identity, onClose: close });
    }
    if (isChanged && isOpen) begin();
    return;
  }
  isOpen = message.type === 'open';
  if (!isOpen) return;
  if (!chat) {
    chat = openChat({ page, texts, origin, identity, onClose: close });
    begin();
  } else chat.focus();
});

function begin(): void {
  const opened = chat;
  opened?.start().catch((error: unknown) => opened.showProblem(error));
}

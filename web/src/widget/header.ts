import { element, iconButton, icons } from './elements.ts';
import type { Texts } from './english-texts.ts';

interface HeaderActions {
  onClose: () => void;
  onAnew: () => void;
  onForget: () => void;
}

/** The agent's name, the notice that it is an AI, and actions on the conversation. */
export function createHeader(title: string, texts: Texts, { onClose, onAnew, onForget }: HeaderActions) {
  const avatar = element('img', { class: 'avatar', alt: '', width: '32', height: '32' });
  avatar.hidden = true;
  const menu = element('div', { class: 'menu', role: 'menu' });
  menu.hidden = true;
  const more = iconButton(texts.more, icons.more, () => toggle(menu.hidden === true));
  more.setAttribute('aria-haspopup', 'menu');
  const toggle = (isOpen: boolean): void => {
    menu.hidden = !isOpen;
    more.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) (menu.firstElementChild as HTMLElement | null)?.focus();
  };
  const item = (label: string, action: () => void): void => {
    const button = element('button', { type: 'button', role: 'menuitem' }, [label]);
    button.addEventListener('click', () => {
      toggle(false);
      action();
    });
    menu.append(button);
  };
  item(texts.anew, onAnew);
  item(texts.forget, onForget);
  menu.addEventListener('keydown', (event) => {
    const items = [...menu.children] as HTMLElement[];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      items.at((items.indexOf(event.target as HTMLElement) + step) % items.length)?.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      toggle(false);
      more.focus();
    }
  });
  const name = element('h1', { dir: 'auto' }, [title]);
  const root = element('header', {}, [
    avatar,
    name,
    element('span', { class: 'badge' }, [texts.ai]),
    more,
    iconButton(texts.close, icons.close, onClose),
    menu,
  ]);
  return {
    root,
    /** Loads the image from this origin, because the page's Content-Security-Policy blocks all others. */
    setAvatar(url: string | null): void {
      avatar.hidden = url === null;
      if (url === null) return;
      const { pathname, search } = new URL(url, location.href);
      avatar.src = pathname + search;
    },
  };
}

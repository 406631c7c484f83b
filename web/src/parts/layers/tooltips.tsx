import { useEffect, useRef } from 'react';
import styles from './tooltips.module.css';

const delayMs = 500;
const gap = 6;

/** The only tooltip of the page. Shows the name of the icon button under the pointer or with the keyboard focus. */
export function Tooltips() {
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = (): void => {
      clearTimeout(timer);
      tip.current?.hidePopover();
    };
    const show = (owner: HTMLElement): void => {
      if (!tip.current || !owner.isConnected) return;
      tip.current.textContent = owner.dataset['tooltip'] ?? '';
      tip.current.showPopover();
      place(tip.current, owner.getBoundingClientRect());
    };
    const point = ({ target, pointerType }: PointerEvent): void => {
      const owner = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;
      hide();
      if (owner && pointerType === 'mouse') timer = setTimeout(() => show(owner), delayMs);
    };
    const focus = ({ target }: FocusEvent): void => {
      hide();
      if (target instanceof HTMLElement && target.matches('[data-tooltip]:focus-visible')) show(target);
    };
    const listeners = { pointerover: point, focusin: focus, pointerdown: hide, keydown: hide, focusout: hide } as const;
    for (const [event, listener] of Object.entries(listeners))
      document.addEventListener(event, listener as EventListener, { passive: true });
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const [event, listener] of Object.entries(listeners))
        document.removeEventListener(event, listener as EventListener);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);
  // Hidden from screen readers: the text is already the button's accessible name.
  return <div ref={tip} popover="manual" aria-hidden="true" className={styles.tooltip} />;
}

/** Places the tooltip below its button, or above it at the bottom of the window, and always inside the window. */
function place(tip: HTMLElement, owner: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const start = Math.min(Math.max(owner.left + (owner.width - width) / 2, gap), innerWidth - width - gap);
  const below = owner.bottom + gap;
  tip.style.translate = `${start}px ${below + height > innerHeight ? owner.top - height - gap : below}px`;
}

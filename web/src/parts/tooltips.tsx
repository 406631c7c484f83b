import { useEffect, useRef } from 'react';
import styles from './tooltips.module.css';

const delayMs = 500;
const gap = 6;

/** The one tooltip of the page: the name of the icon button that is pointed at or has the focus by a key. */
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
  // Its text is the name of what it belongs to already.
  return <div ref={tip} popover="manual" aria-hidden="true" className={styles.tooltip} />;
}

/** Below its owner, or above at the end of the window; never over an edge. */
function place(tip: HTMLElement, owner: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const start = Math.min(Math.max(owner.left + (owner.width - width) / 2, gap), innerWidth - width - gap);
  const below = owner.bottom + gap;
  tip.style.translate = `${start}px ${below + height > innerHeight ? owner.top - height - gap : below}px`;
}

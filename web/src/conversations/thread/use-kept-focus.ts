import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus when an action removes or disables the focused control of a thread: to its message, or if that is gone,
 * too, by `onLost`.
 */
export function useKeptFocus(thread: RefObject<HTMLElement | null>, onLost: () => void): void {
  const focused = useRef<{ control: Element; message: HTMLElement | null } | null>(null);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const control = target instanceof Element && thread.current?.contains(target) ? target : null;
      focused.current = control && { control, message: control.closest('article') };
    };
    // A click beside it takes the focus on purpose.
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && focused.current?.control.contains(target))) focused.current = null;
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress, true);
    };
  }, [thread]);
  useEffect(() => {
    if (focused.current === null) return;
    const { control, message } = focused.current;
    if (control.isConnected && !control.matches(':disabled')) return;
    focused.current = null;
    if (document.activeElement !== document.body && document.activeElement !== control) return;
    if (message?.isConnected) message.focus({ preventScroll: true });
    else onLost();
  });
}

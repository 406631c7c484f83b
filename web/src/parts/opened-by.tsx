import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, Suspense, useState } from 'react';

interface OpenedByProps {
  trigger: ReactElement;
  popup: 'dialog' | 'menu';
  /** Contains a trigger of its own, and is open when it is rendered for the first time. */
  children: ReactNode;
}

interface TriggerProps {
  'aria-haspopup'?: OpenedByProps['popup'];
  'aria-expanded'?: boolean;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A button that is replaced by its children when a click or an arrow key opens them for the first time. */
export function OpenedBy({ trigger, popup, children }: OpenedByProps) {
  const [wasOpen, setWasOpen] = useState(false);
  const open = (): void => setWasOpen(true);
  const closed = cloneElement(trigger as ReactElement<TriggerProps>, {
    'aria-haspopup': popup,
    'aria-expanded': wasOpen,
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  });
  return wasOpen ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}

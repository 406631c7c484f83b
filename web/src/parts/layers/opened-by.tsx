import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { CloseFailedLayer } from './part-failure.tsx';
import { texts } from '../texts.ts';
import { notifyFailure } from './toast-store.ts';

interface OpenedByProps {
  trigger: ReactElement;
  popup: 'dialog' | 'menu';
  /** Contains a trigger of its own, and is open when it is rendered for the first time. */
  children: ReactNode;
}

interface TriggerProps {
  'aria-haspopup'?: OpenedByProps['popup'];
  'aria-expanded'?: boolean;
  autoFocus?: boolean;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A button that is replaced by its children when a click or an arrow key opens them for the first time. */
export function OpenedBy({ trigger, popup, children }: OpenedByProps) {
  const [state, setState] = useState<'closed' | 'opened' | 'failed'>('closed');
  const open = (): void => setState('opened');
  const close = (error: unknown): void => {
    setState('failed');
    notifyFailure(texts.notOpened, error);
  };
  const closed = cloneElement(trigger as ReactElement<TriggerProps>, {
    'aria-haspopup': popup,
    'aria-expanded': state === 'opened',
    // It replaces the button that had the focus.
    autoFocus: state !== 'closed',
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  });
  if (state !== 'opened') return closed;
  return (
    <CloseFailedLayer value={close}>
      <Suspense fallback={closed}>{children}</Suspense>
    </CloseFailedLayer>
  );
}

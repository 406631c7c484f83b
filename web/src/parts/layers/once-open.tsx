import { type ReactNode, Suspense, useState } from 'react';
import { CloseFailedLayer } from './part-failure.tsx';
import { texts } from '../texts.ts';
import { notifyFailure } from './toast-store.ts';

interface OnceOpenProps {
  isOpen: boolean;
  /** Called when a part of the layer could not be loaded. Without it, the toast offers to try again. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
}

/** Renders its children from the first opening on. They stay mounted, so that closing can be animated. */
export function OnceOpen({ isOpen, onClose, children }: OnceOpenProps) {
  const [state, setState] = useState<'closed' | 'opened' | 'failed'>('closed');
  if (isOpen && state === 'closed') setState('opened');
  if (!isOpen && state === 'failed') setState('closed');
  const close = (error: unknown): void => {
    setState('failed');
    notifyFailure(texts.notOpened, error, onClose ? undefined : () => setState('closed'));
    onClose?.();
  };
  if (state !== 'opened') return null;
  return (
    <CloseFailedLayer value={close}>
      <Suspense fallback={null}>{children}</Suspense>
    </CloseFailedLayer>
  );
}

import { createContext, use, useEffect, useEffectEvent, useLayoutEffect } from 'react';

/** Closes the layer that contains a part that could not be loaded. Null outside a layer. */
export const CloseFailedLayer = createContext<((error: unknown) => void) | null>(null);

interface PartFailureProps {
  error: unknown;
  /** Lets the next rendering load the part again. */
  forget: () => void;
  renderAgain: () => void;
}

/** Rendered for a part that could not be loaded. Outside a layer it is loaded again when the network is back. */
export function PartFailure({ error, forget, renderAgain }: PartFailureProps) {
  const close = use(CloseFailedLayer);
  const closeLayer = useEffectEvent((failure: unknown): void => close?.(failure));
  useLayoutEffect(() => {
    closeLayer(error);
    return forget;
  }, [error, forget]);
  useEffect(() => {
    if (close) return;
    const again = (): void => {
      forget();
      renderAgain();
    };
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [close, forget, renderAgain]);
  return null;
}

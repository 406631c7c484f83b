import type { ConfirmDialogProps } from './confirm-layer.tsx';
import { later } from './later.ts';
import { OnceOpen } from './once-open.tsx';

const ConfirmLayer = later(() => import('./confirm-layer.tsx'));

/** Confirms an action that cannot be undone. Stays open with the error when the action fails. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <OnceOpen isOpen={props.isOpen} onClose={props.onClose}>
    <ConfirmLayer {...props} />
  </OnceOpen>
);

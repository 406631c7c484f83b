import type { ConfirmDialogProps } from './confirm-layer.tsx';
import { later } from './later.ts';
import { OnceOpen } from './once-open.tsx';

const ConfirmLayer = later(() => import('./confirm-layer.tsx'));

/** Asks before what can't be undone. It stays open with the reason when the action fails. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <OnceOpen isOpen={props.isOpen}>
    <ConfirmLayer {...props} />
  </OnceOpen>
);

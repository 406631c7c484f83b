import type { DialogProps } from './dialog-layer.tsx';
import { later } from './later.ts';
import { OnceOpen } from './once-open.tsx';

const DialogLayer = later(() => import('./dialog-layer.tsx'));

/** A modal dialog with a title. It traps the focus and returns it to the element that opened it. */
export const Dialog = (props: DialogProps) => (
  <OnceOpen isOpen={props.isOpen} onClose={props.onClose}>
    <DialogLayer {...props} />
  </OnceOpen>
);

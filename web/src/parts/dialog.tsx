import type { DialogProps } from './dialog-layer.tsx';
import { later } from './later.ts';
import { OnceOpen } from './once-open.tsx';

const DialogLayer = later(() => import('./dialog-layer.tsx'));

/** A modal layer with a title. Focus goes in, stays in, and returns to what opened it. */
export const Dialog = (props: DialogProps) => (
  <OnceOpen isOpen={props.isOpen}>
    <DialogLayer {...props} />
  </OnceOpen>
);

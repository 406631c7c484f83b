import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { texts } from './texts.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Absent: only an action inside closes it. */
  onClose?: (() => void) | undefined;
  /** What gets the focus; the first field, else the layer itself, when absent. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** What gets the focus after it closed, where that is not what opened it. */
  finalFocus?: (() => HTMLElement | null) | undefined;
  /**
   * `sheet` is a panel at the end of the page, over its whole height; `full` covers the page; `top` stays where it is when
   * its content grows or shrinks.
   */
  shape?: 'card' | 'sheet' | 'wide' | 'top' | 'full';
}

const fields = 'input:not([type=hidden]), textarea, select';

/** A modal layer with a title. Focus goes in, stays in, and returns to what opened it. */
function DialogLayer({
  isOpen,
  title,
  description,
  children,
  onClose,
  initialFocus,
  finalFocus,
  shape = 'card',
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  // On touch a field would open the keyboard over what is to be read.
  const first = (): HTMLElement | null =>
    (matchMedia('(pointer: coarse)').matches ? null : popup.current?.querySelector<HTMLElement>(fields)) ??
    popup.current;
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()} disablePointerDismissal={!onClose}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          ref={popup}
          className={classNames(styles.popup, styles[shape])}
          initialFocus={initialFocus ?? first}
          finalFocus={finalFocus && (() => finalFocus() ?? true)}
        >
          <header className={styles.header}>
            <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
            {onClose && (
              <BaseDialog.Close render={<IconButton size="small" label={texts.close} />}>
                <X size={16} />
              </BaseDialog.Close>
            )}
          </header>
          {description && <BaseDialog.Description className={styles.description}>{description}</BaseDialog.Description>}
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

export default DialogLayer;

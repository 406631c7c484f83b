import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { texts } from '../texts.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Without it, only an action inside closes the dialog. */
  onClose?: (() => void) | undefined;
  /** Element that receives the focus; by default the first field, else the dialog itself. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Element that receives the focus on close; by default the one that opened the dialog. */
  finalFocus?: (() => HTMLElement | null) | undefined;
  /**
   * `sheet` is a full-height panel at the end of the page, `full` covers the page, and `top` keeps its position when its
   * content changes height.
   */
  shape?: 'card' | 'sheet' | 'wide' | 'top' | 'full';
}

const fields = 'input:not([type=hidden]), textarea, select';

/** A modal dialog with a title. It traps the focus and returns it to the element that opened it. */
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
  // On touch devices focusing a field would open the keyboard over the text.
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

import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
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
  /** What gets the focus; the first that can, when absent. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** `sheet` is a panel at the end of the page, over its whole height; `full` covers the page. */
  shape?: 'card' | 'sheet' | 'wide' | 'full';
}

/** A modal layer with a title. Focus goes in, stays in, and returns to what opened it. */
const DialogLayer = ({ isOpen, title, description, children, onClose, initialFocus, shape = 'card' }: DialogProps) => (
  <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()} disablePointerDismissal={!onClose}>
    <BaseDialog.Portal>
      <BaseDialog.Backdrop className={styles.backdrop} />
      <BaseDialog.Popup className={classNames(styles.popup, styles[shape])} initialFocus={initialFocus}>
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

export default DialogLayer;

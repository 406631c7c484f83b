import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { common } from '../common-texts.ts';
import { DialogActions } from './dialog-actions.tsx';
import { ErrorNote } from '../lists/error-note.tsx';
import { useFocusAfterRemoval } from '../controls/use-focus-after-removal.ts';
import styles from './dialog.module.css';

export interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  description: ReactNode;
  /** Label of the button that confirms, such as "Delete". */
  action: string;
  /** Label of the button that dismisses the dialog, where "Cancel" could mean the action. */
  dismissal?: string;
  variant?: 'primary' | 'danger';
  /** True while something is missing, such as a typed name. */
  isDisabled?: boolean;
  children?: ReactNode;
  onConfirm: () => Promise<unknown> | void;
  onClose: () => void;
}

/** Confirms an action that cannot be undone. Stays open with the error when the action fails. */
export default function ConfirmLayer(props: ConfirmDialogProps) {
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const marker = useRef<HTMLSpanElement>(null);
  const finalFocus = useFocusAfterRemoval(props.isOpen, marker);
  const close = (): void => {
    setFailure(null);
    props.onClose();
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await props.onConfirm();
      close();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <span ref={marker} hidden />
      <AlertDialog.Root open={props.isOpen} onOpenChange={(open) => !open && close()}>
        <AlertDialog.Portal>
          <AlertDialog.Backdrop className={styles.backdrop} />
          <AlertDialog.Popup className={`${styles.popup} ${styles.card}`} finalFocus={finalFocus}>
            <AlertDialog.Title className={styles.title}>{props.title}</AlertDialog.Title>
            <AlertDialog.Description className={styles.description}>{props.description}</AlertDialog.Description>
            {props.children}
            {failure !== null && <ErrorNote error={failure} />}
            <DialogActions>
              <AlertDialog.Close render={<Button />}>{props.dismissal ?? common.cancel}</AlertDialog.Close>
              <Button
                variant={props.variant ?? 'danger'}
                disabled={props.isDisabled}
                isBusy={isBusy}
                onClick={() => void confirm()}
              >
                {props.action}
              </Button>
            </DialogActions>
          </AlertDialog.Popup>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </>
  );
}

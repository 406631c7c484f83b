import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { CodeBox } from '../values/code-box.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { Dialog } from './dialog.tsx';
import { texts } from '../texts.ts';

interface SecretDialogProps {
  title: string;
  description: ReactNode;
  /** Label of the secret, such as "Secret". */
  label: string;
  secret: string;
  children?: ReactNode;
  /** Element that receives the focus, because the dialog that opened this one is gone. */
  finalFocus?: (() => HTMLElement | null) | undefined;
  onStored: () => void;
}

/**
 * Shows a secret once. It exists only in the state of the calling component. Only the button closes the dialog: until then
 * the page cannot be left either, because the secret would be lost.
 */
export function SecretDialog({ title, description, label, secret, children, finalFocus, onStored }: SecretDialogProps) {
  const storedSecret = useRef<string>(null);
  const isAtRisk = (): boolean => storedSecret.current !== secret;
  useBlocker({ shouldBlockFn: isAtRisk, enableBeforeUnload: isAtRisk });
  const store = (): void => {
    storedSecret.current = secret;
    onStored();
  };
  return (
    <Dialog isOpen title={title} description={description} shape="wide" finalFocus={finalFocus}>
      <CodeBox label={label} text={secret} />
      {children}
      <DialogActions>
        <Button variant="primary" onClick={store}>
          {texts.iStored}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CodeBox } from './code-box.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { Dialog } from './dialog.tsx';
import { texts } from './texts.ts';

interface SecretDialogProps {
  title: string;
  description: ReactNode;
  /** What the secret is called, such as "Secret". */
  label: string;
  secret: string;
  children?: ReactNode;
  onStored: () => void;
}

/** Shows a secret the only time. It lives in the state of the component that got it, and only the button closes this. */
export const SecretDialog = ({ title, description, label, secret, children, onStored }: SecretDialogProps) => (
  <Dialog isOpen title={title} description={description} shape="wide">
    <CodeBox label={label} text={secret} />
    {children}
    <DialogActions>
      <Button variant="primary" onClick={onStored}>
        {texts.iStored}
      </Button>
    </DialogActions>
  </Dialog>
);

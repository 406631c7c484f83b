import { type ApiCall, ApiCommand } from './api-command.tsx';
import { Dialog } from '../layers/dialog.tsx';
import { common } from '../common-texts.ts';

interface ApiDialogProps {
  call: ApiCall;
  isOpen: boolean;
  onClose: () => void;
}

/** `ApiCommand` in a dialog, for screens without space for an `ApiNote`. */
export const ApiDialog = ({ call, isOpen, onClose }: ApiDialogProps) => (
  <Dialog isOpen={isOpen} title={common.sameApi} shape="wide" onClose={onClose}>
    <ApiCommand {...call} />
  </Dialog>
);

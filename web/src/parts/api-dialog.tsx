import { type ApiCall, ApiCommand } from './api-command.tsx';
import { Dialog } from './dialog.tsx';
import { common } from './common-texts.ts';

interface ApiDialogProps {
  call: ApiCall;
  isOpen: boolean;
  onClose: () => void;
}

/** The same with the API, for screens without a foot. */
export const ApiDialog = ({ call, isOpen, onClose }: ApiDialogProps) => (
  <Dialog isOpen={isOpen} title={common.sameApi} shape="wide" onClose={onClose}>
    <ApiCommand {...call} />
  </Dialog>
);

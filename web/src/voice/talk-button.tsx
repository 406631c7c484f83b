import { AudioLines } from 'lucide-react';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { texts } from './texts.ts';

interface TalkButtonProps {
  /** True when talking has just ended, so that the focus returns to this button. */
  autoFocus: boolean;
  onTalk: () => void;
}

/** Starts a spoken conversation. */
export const TalkButton = ({ autoFocus, onTalk }: TalkButtonProps) => (
  <IconButton size="small" label={texts.talk} autoFocus={autoFocus} onClick={onTalk}>
    <AudioLines size={18} />
  </IconButton>
);

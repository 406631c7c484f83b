import { AudioLines } from 'lucide-react';
import { IconButton } from '../parts/icon-button.tsx';
import { texts } from './texts.ts';

interface TalkButtonProps {
  /** Talking has just ended: the focus returns to where it began. */
  autoFocus: boolean;
  onTalk: () => void;
}

/** Begins a spoken conversation. */
export const TalkButton = ({ autoFocus, onTalk }: TalkButtonProps) => (
  <IconButton size="small" label={texts.talk} autoFocus={autoFocus} onClick={onTalk}>
    <AudioLines size={18} />
  </IconButton>
);

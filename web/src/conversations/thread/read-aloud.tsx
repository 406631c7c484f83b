import { Square, Volume2 } from 'lucide-react';
import { play, setReadingSpeed, stopPlaying, usePlaying } from '../../chat/composer/player.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { usePreferences } from '../../preferences/preferences.ts';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/message.module.css';

const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const;

export const readAloud = (conversationId: string, messageId: string): Promise<void> =>
  play(messageId, `/v1/conversations/${conversationId}/messages/${messageId}/speech`, {});

/** Reads a reply aloud. While it plays, offers to stop it and to change the speed. */
export function ReadAloud({ conversationId, messageId }: { conversationId: string; messageId: string }) {
  const state = usePlaying(messageId);
  const { readingSpeed } = usePreferences();
  if (state === 'no') {
    return (
      <IconButton size="small" label={texts.readAloud} onClick={() => void readAloud(conversationId, messageId)}>
        <Volume2 size={16} />
      </IconButton>
    );
  }
  return (
    <span className={styles.reading}>
      <IconButton size="small" label={state === 'loading' ? texts.preparing : texts.stopReading} onClick={stopPlaying}>
        <Square size={14} fill="currentColor" />
      </IconButton>
      <select
        className={styles.speed}
        aria-label={texts.speed}
        value={readingSpeed}
        onChange={({ target }) => setReadingSpeed(Number(target.value))}
      >
        {speeds.map((speed) => (
          <option key={speed} value={speed}>
            {speed} ×
          </option>
        ))}
      </select>
    </span>
  );
}

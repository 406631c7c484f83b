import { Square, Volume2 } from 'lucide-react';
import { play, stopPlaying, usePlaying } from '../chat/composer/player.ts';
import { Button } from '../parts/controls/button.tsx';
import { texts } from './texts.ts';

/** Plays a sentence in a voice. */
export function VoiceSample({ voiceId }: { voiceId: string }) {
  const id = `voice-sample-${voiceId}`;
  const state = usePlaying(id);
  if (state !== 'no') {
    return (
      <Button size="small" onClick={stopPlaying}>
        <Square size={12} fill="currentColor" />
        {texts.stopListening}
      </Button>
    );
  }
  const voice = voiceId ? { voice_id: voiceId.toLowerCase() } : {};
  return (
    <Button size="small" onClick={() => void play(id, '/v1/voice/tts', { text: texts.voiceSample, ...voice })}>
      <Volume2 size={16} />
      {texts.listen}
    </Button>
  );
}

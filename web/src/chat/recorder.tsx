import { Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { fetchAuthorized } from '../api/request.ts';
import { Button } from '../parts/button.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { notify, notifyFailure } from '../parts/toast-store.ts';
import { Level } from './level.tsx';
import { texts } from './texts.ts';
import styles from './recorder.module.css';

const formats = ['audio/webm;codecs=opus', 'audio/mp4'];

/** Dictation: one click starts recording, another inserts the transcript into the composer. It never sends. */
export function Recorder({ onText }: { onText: (text: string) => void }) {
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [isTranscribing, setTranscribing] = useState(false);
  const recorder = useRef<MediaRecorder | null>(null);
  const end = (): void => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    setStream(null);
  };
  const discard = (): void => {
    recorder.current = null;
    end();
  };
  const start = async (): Promise<void> => {
    try {
      const opened = await navigator.mediaDevices.getUserMedia({ audio: true });
      const mimeType = formats.find((format) => MediaRecorder.isTypeSupported(format));
      recorder.current = new MediaRecorder(opened, mimeType ? { mimeType } : {});
      recorder.current.start();
      setStream(opened);
    } catch {
      notify(texts.browserNotLetPage);
    }
  };
  const finish = async (): Promise<void> => {
    const active = recorder.current;
    if (!active) return;
    const sound = await new Promise<Blob>((resolve) => {
      active.addEventListener('dataavailable', ({ data }) => resolve(data), { once: true });
      active.stop();
    });
    end();
    setTranscribing(true);
    try {
      const text = await transcribe(sound);
      if (text === '') notify(texts.nothingUnderstoodSpeakCloser);
      else onText(text);
    } catch (error) {
      notifyFailure(texts.recordingNotWrittenDown, error);
    } finally {
      setTranscribing(false);
    }
  };
  useEffect(() => {
    if (!stream) return;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') discard();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  if (!stream) {
    return (
      <IconButton
        size="small"
        label={isTranscribing ? texts.writingDown : texts.dictate}
        isBusy={isTranscribing}
        onClick={() => void start()}
      >
        <Mic size={18} />
      </IconButton>
    );
  }
  return (
    <span className={styles.recording}>
      <Level stream={stream} />
      <Button size="small" variant="quiet" onClick={discard}>
        {texts.discard}
      </Button>
      <Button size="small" onClick={() => void finish()}>
        <Square size={12} fill="currentColor" />
        {texts.done}
      </Button>
    </span>
  );
}

async function transcribe(sound: Blob): Promise<string> {
  const body = new FormData();
  body.append('audio', sound, sound.type.includes('mp4') ? 'dictation.m4a' : 'dictation.webm');
  const response = await fetchAuthorized('/v1/voice/stt', { method: 'POST', body });
  return ((await response.json()) as { text: string }).text.trim();
}

import { Mic, Square } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { asApiError } from '../../api/api-error.ts';
import { fetchAuthorized } from '../../api/request.ts';
import { Button } from '../../parts/controls/button.tsx';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { notify, notifyFailure } from '../../parts/layers/toast-store.ts';
import type { ComposerHandle } from './composer.tsx';
import { drafts } from '../drafts/drafts.ts';
import { Level } from './level.tsx';
import { closeStream, openStream } from './open-stream.ts';
import { texts } from '../texts.ts';
import styles from './recorder.module.css';

const formats = ['audio/webm;codecs=opus', 'audio/mp4'];
/** A press that lasts longer ends the recording when it is released. */
const holdMs = 400;

interface RecorderProps {
  /** Key of the draft that receives the transcript, even if its composer is no longer shown. */
  draft: string;
  composer: RefObject<ComposerHandle | null>;
}

interface Recording {
  stream: MediaStream;
  recorder: MediaRecorder;
  sound: Promise<Blob>;
  startedAt: number;
}

/** Dictation: click to start and to end, or hold while speaking. It adds the transcript to the draft and never sends. */
export function Recorder({ draft, composer }: RecorderProps) {
  const [recording, setRecording] = useState<Recording | null>(null);
  const [isTranscribing, setTranscribing] = useState(false);
  const isOpening = useRef(false);
  const isShown = useRef(true);
  const isPressed = useRef(false);
  // A new conversation gets its own draft while the recording is transcribed.
  const latestDraft = useRef(draft);
  useEffect(() => {
    latestDraft.current = draft;
  });
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  useEffect(
    () => () => {
      if (recording) closeStream(recording.stream);
    },
    [recording],
  );
  const discard = (): void => setRecording(null);
  const start = async (): Promise<void> => {
    if (isOpening.current || isTranscribing) return;
    isOpening.current = true;
    try {
      const stream = await openStream(true);
      if (isShown.current) setRecording(record(stream));
      else closeStream(stream);
    } catch (error) {
      if (isShown.current) notify(asApiError(error).message);
    } finally {
      isOpening.current = false;
    }
  };
  const finish = async ({ recorder, sound }: Recording): Promise<void> => {
    setRecording(null);
    if (recorder.state === 'recording') recorder.stop();
    await addTranscript(sound);
  };
  const addTranscript = async (sound: Promise<Blob>): Promise<void> => {
    setTranscribing(true);
    try {
      const text = await transcribe(await sound);
      if (text === '') return notify(texts.nothingUnderstoodSpeakCloser);
      drafts.add(latestDraft.current, text);
      composer.current?.focus();
    } catch (error) {
      notifyFailure(texts.recordingNotWrittenDown, error, () => void addTranscript(sound));
    } finally {
      setTranscribing(false);
    }
  };
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') discard();
    };
    // A release outside the window is not reported, so another press ends this one, too.
    const forgetPress = (): void => {
      isPressed.current = false;
    };
    const onRelease = (): void => {
      if (recording && isPressed.current && performance.now() - recording.startedAt > holdMs) void finish(recording);
      forgetPress();
    };
    addEventListener('keydown', onKey);
    addEventListener('pointerup', onRelease);
    addEventListener('pointercancel', forgetPress);
    addEventListener('pointerdown', forgetPress, true);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerup', onRelease);
      removeEventListener('pointercancel', forgetPress);
      removeEventListener('pointerdown', forgetPress, true);
    };
  });
  if (!recording) {
    return (
      <IconButton
        size="small"
        label={isTranscribing ? texts.writingDown : texts.dictate}
        isBusy={isTranscribing}
        onPointerDown={({ button }) => {
          if (button !== 0) return;
          isPressed.current = true;
          void start();
        }}
        // A pointer has already started it.
        onClick={({ detail }) => detail === 0 && void start()}
      >
        <Mic size={18} />
      </IconButton>
    );
  }
  return (
    <span className={styles.recording}>
      <Level stream={recording.stream} />
      <Button size="small" variant="quiet" onClick={discard}>
        {texts.discard}
      </Button>
      <Button size="small" onClick={() => void finish(recording)}>
        <Square size={12} fill="currentColor" />
        {texts.done}
      </Button>
    </span>
  );
}

function record(stream: MediaStream): Recording {
  const mimeType = formats.find((format) => MediaRecorder.isTypeSupported(format));
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {});
  const sound = new Promise<Blob>((resolve) => {
    recorder.addEventListener('dataavailable', ({ data }) => resolve(data), { once: true });
  });
  recorder.start();
  return { stream, recorder, sound, startedAt: performance.now() };
}

async function transcribe(sound: Blob): Promise<string> {
  const body = new FormData();
  body.append('audio', sound, sound.type.includes('mp4') ? 'dictation.m4a' : 'dictation.webm');
  const response = await fetchAuthorized('/v1/voice/stt', { method: 'POST', body });
  return ((await response.json()) as { text: string }).text.trim();
}

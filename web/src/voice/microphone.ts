import { ApiError } from '../api/api-error.ts';
import { closeStream, openStream } from '../chat/composer/open-stream.ts';
import captureUrl from './capture-worklet.ts?worker&url';
import { texts } from './texts.ts';

export interface Microphone {
  stream: MediaStream;
  sampleRate: number;
  setMuted(isMuted: boolean): void;
  close(): void;
}

interface MicrophoneListener {
  onSamples: (samples: Float32Array) => void;
  /** Called when the microphone was unplugged or its permission was revoked. */
  onLost: () => void;
}

/** Opens the microphone with echo cancellation. @throws ApiError with a message that explains what to do */
export async function openMicrophone({ onSamples, onLost }: MicrophoneListener): Promise<Microphone> {
  if (!('AudioWorkletNode' in globalThis)) throw new ApiError('UNSUPPORTED', texts.browserCantTalk);
  const stream = await openStream({
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
    channelCount: 1,
  });
  const context = new AudioContext();
  const close = (): void => {
    for (const track of stream.getTracks()) track.removeEventListener('ended', onLost);
    closeStream(stream);
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(captureUrl);
    const capture = new AudioWorkletNode(context, 'capture');
    capture.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => onSamples(data));
    capture.port.start();
    context.createMediaStreamSource(stream).connect(capture).connect(context.destination);
  } catch {
    close();
    throw new ApiError('UNSUPPORTED', texts.browserCantTalk);
  }
  for (const track of stream.getTracks()) track.addEventListener('ended', onLost);
  return {
    stream,
    sampleRate: context.sampleRate,
    setMuted: (isMuted) => {
      for (const track of stream.getAudioTracks()) track.enabled = !isMuted;
    },
    close,
  };
}

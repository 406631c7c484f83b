import { ApiError } from '../../api/api-error.ts';
import { texts } from '../texts.ts';

/** Opens the microphone. @throws ApiError with a message that explains what to do */
export async function openStream(audio: MediaTrackConstraints | true): Promise<MediaStream> {
  // On insecure origins this interface is missing.
  if (!('mediaDevices' in navigator)) throw new ApiError('UNSUPPORTED', texts.noMicrophoneAccess);
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    throw microphoneError(error);
  }
}

export function closeStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function microphoneError(error: unknown): ApiError {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') {
    return new ApiError('NO_MICROPHONE', texts.noMicrophone);
  }
  if (name === 'NotReadableError' || name === 'AbortError') return new ApiError('NO_MICROPHONE', texts.microphoneInUse);
  return new ApiError('MICROPHONE_DENIED', texts.microphoneDenied);
}

import { FormData } from 'undici';
import { wav } from '../../support/audio.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

/** Turns text into speech and speech into text. */
export async function speak(world: World, person: Person): Promise<void> {
  const as = person.token;
  await person.call('GET /voice/voices', { as });
  const text = 'The tide comes and goes. '.repeat(1 + Math.floor(Math.random() * 20));
  const { bytes, headers } = await person.call('POST /voice/tts', { as, body: { text, voice_id: 'nova' } });
  if (bytes.length < 1_000 || headers.get('content-type') !== 'audio/mpeg')
    world.findings.add('speech without sound', `${bytes.length} bytes of ${headers.get('content-type')}`);
  const sound = new Uint8Array(wav(2));
  const form = () => {
    const made = new FormData();
    made.append('audio', new Blob([sound]), 'question.wav');
    return made;
  };
  await person.call('POST /voice/stt', { as, form });
}

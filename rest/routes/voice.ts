import { speechAdapter } from '../adapters/speech.ts';
import { transcriptionAdapter } from '../adapters/transcription.ts';
import type { RouteGroup } from './route.ts';

export const voiceRoutes: RouteGroup = {
  tag: 'Voice',
  description: 'Text to speech and speech to text.',
  routes: [
    {
      method: 'POST',
      path: '/conversations/:conversation_id/messages/:message_id/speech',
      operation: 'Mutation.speakMessage',
      status: 200,
      summary: 'Convert a message to speech',
      errors: ['upstream_error', 'upstream_timeout'],
      answer: 'MP3 audio, streamed while it is generated.',
      body: 'input',
      adapter: speechAdapter,
      idempotency: 'remote',
    },
    {
      method: 'POST',
      path: '/voice/tts',
      operation: 'Mutation.synthesizeSpeech',
      status: 200,
      summary: 'Convert text to speech',
      errors: ['upstream_error', 'upstream_timeout'],
      answer: 'MP3 audio, streamed while it is generated.',
      body: 'input',
      adapter: speechAdapter,
      idempotency: 'remote',
    },
    {
      method: 'POST',
      path: '/voice/stt',
      operation: 'Mutation.transcribeAudio',
      status: 200,
      summary: 'Convert speech to text',
      errors: ['upstream_error', 'upstream_timeout'],
      body: 'input',
      adapter: transcriptionAdapter,
      idempotency: 'remote',
    },
    { method: 'GET', path: '/voice/voices', operation: 'Query.voices', status: 200, summary: 'List the voices' },
  ],
};

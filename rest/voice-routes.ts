import type { Route } from './routes.ts';

/** The rows of /v1/voice, and of speaking a message. */
export const voiceRoutes: readonly Omit<Route, 'tag'>[] = [
  {
    method: 'POST',
    path: '/conversations/:conversation_id/messages/:message_id/speech',
    operation: 'Mutation.speakMessage',
    status: 200,
    summary: 'Speak a message',
    errors: ['upstream_error', 'upstream_timeout'],
    answer: 'MP3, sent as it is made.',
    body: 'input',
    adapter: 'messageSpeech',
    idempotency: 'remote',
    ownLimit: 'tts',
  },
  {
    method: 'POST',
    path: '/voice/tts',
    operation: 'Mutation.synthesizeSpeech',
    status: 200,
    summary: 'Turn text into speech',
    errors: ['upstream_error', 'upstream_timeout'],
    answer: 'MP3, sent as it is made.',
    body: 'input',
    adapter: 'speech',
    idempotency: 'remote',
    ownLimit: 'tts',
  },
  {
    method: 'POST',
    path: '/voice/stt',
    operation: 'Mutation.transcribeAudio',
    status: 200,
    summary: 'Turn speech into text',
    errors: ['upstream_error', 'upstream_timeout'],
    body: 'input',
    adapter: 'transcription',
    idempotency: 'remote',
    ownLimit: 'stt',
  },
  { method: 'GET', path: '/voice/voices', operation: 'Query.voices', status: 200, summary: 'List the voices' },
];

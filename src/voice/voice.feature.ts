import type { Feature } from '../core/feature.ts';
import { purgeKeptSpeech, removeExpiredSpeech } from './kept-speech.ts';
import { voiceSettings } from './voice.settings.ts';

declare module '../core/actor.ts' {
  interface Scopes {
    'voice:use': true;
  }
}

export const voice: Feature = {
  name: 'voice',
  settings: voiceSettings,
  scopes: ['voice:use'],
  expiries: [{ name: 'kept_speech', remove: removeExpiredSpeech }],
  purge: [purgeKeptSpeech],
};

import { createRequire } from 'node:module';
import type * as tinyld from 'tinyld';

const require = createRequire(import.meta.url);

/** Returns the ISO 639-1 code of the likeliest language; '' when unknown. Imported on demand: its tables take 50 MB. */
export const detectLanguage = (text: string, languages: string[]): string =>
  (require('tinyld') as typeof tinyld).detect(text, { only: languages });

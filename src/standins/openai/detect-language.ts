import { createRequire } from 'node:module';
import type * as tinyld from 'tinyld';

const require = createRequire(import.meta.url);

/** ISO 639-1 code of the likeliest of the languages; '' when it can't tell. Loaded at the first use: its tables take 50 MB. */
export const detectLanguage = (text: string, languages: string[]): string =>
  (require('tinyld') as typeof tinyld).detect(text, { only: languages });

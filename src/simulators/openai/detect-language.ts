import { createRequire } from 'node:module';
import type * as tinyld from 'tinyld';

const require = createRequire(import.meta.url);

/**
 * Returns the ISO 639-1 code of the most likely language; empty when unknown. The package is imported on demand,
 * because its tables take 50 MB.
 */
export const detectLanguage = (text: string, languages: string[]): string =>
  (require('tinyld') as typeof tinyld).detect(text, { only: languages });

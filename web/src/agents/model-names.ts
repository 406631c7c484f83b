import type { ModelId } from '../api/generated/operations.ts';
import { texts } from './texts.ts';

export const modelNames: Readonly<Record<ModelId, string>> = {
  DEFAULT: texts.balanced,
  CREATIVE: texts.creative,
  FAST: texts.fast,
  PRECISE: texts.precise,
};

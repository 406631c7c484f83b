import type { Feature } from '../core/feature.ts';
import { moderationSettings } from './moderation.settings.ts';

export const moderation: Feature = { name: 'moderation', settings: moderationSettings };

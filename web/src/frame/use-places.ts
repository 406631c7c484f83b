import { useModerator } from '../moderation/use-moderator.ts';
import { moderation, places } from './places.ts';

type Place = (typeof places)[number] | typeof moderation;

/** The screens of the sidebar and the palette for this person. */
export const usePlaces = (): readonly Place[] => (useModerator() ? [...places, moderation] : places);

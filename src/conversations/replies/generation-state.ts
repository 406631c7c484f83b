/** How far an attempt to reply is. Only `running` changes, once. */
export type GenerationState = 'running' | 'complete' | 'stopped' | 'failed' | 'interrupted';

/** Returns whether an attempt ended without a reply. */
export const isWithoutReply = (state: GenerationState): boolean => state === 'failed' || state === 'interrupted';

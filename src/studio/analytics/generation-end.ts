/** How an attempt to reply ended: the last two left no reply. */
export type GenerationEnd = 'complete' | 'stopped' | 'failed' | 'interrupted';

/** The ways in which a generation ends. `failed` and `interrupted` leave no reply. */
export type FinalState = 'complete' | 'stopped' | 'failed' | 'interrupted';

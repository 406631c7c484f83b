import { useSessionState } from './use-session.ts';

/** Whether the visitor has a session; some screens work without one. */
export const useSignedIn = (): boolean => useSessionState() !== 'signed-out';

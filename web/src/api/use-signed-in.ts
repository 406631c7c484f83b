import { useSessionState } from './use-session.ts';

/** Whether there is a person behind the page: some screens are open to everyone. */
export const useSignedIn = (): boolean => useSessionState() !== 'signed-out';

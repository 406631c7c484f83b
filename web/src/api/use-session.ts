import { useSyncExternalStore } from 'react';
import { onSessionChange, sessionState, type SessionState } from './session.ts';

export const useSessionState = (): SessionState => useSyncExternalStore(onSessionChange, sessionState);

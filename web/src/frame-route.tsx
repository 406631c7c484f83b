import { createRoute } from '@tanstack/react-router';
import { FramePending } from './frame/states/frame-pending.tsx';
import { requireSession } from './frame/session-guard.ts';
import { loadScreen } from './parts/layers/load-part.ts';
import { root } from './root-route.tsx';
import { screen } from './screen.ts';

/** Layout route of every screen of an account and of the public screens. */
export const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: requireSession,
  loader: async () => (await loadScreen(() => import('./frame/loaders.ts'))).loadAccount(),
  pendingComponent: FramePending,
  pendingMs: 150,
  // The frame replaces it without moving anything.
  pendingMinMs: 0,
  component: screen(() => import('./frame/frame.tsx'), 'Frame'),
});

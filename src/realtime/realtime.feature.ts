import type { Feature } from '../core/feature.ts';

declare module '../core/feature.ts' {
  interface PlanLimits {
    socketConnections: number;
  }
}

/** Connections on which clients hear what happens. It stores nothing: channels read the tables of other features. */
export const realtime: Feature = {
  name: 'realtime',
  planLimits: { socketConnections: { free: 5, plus: 25, pro: 100, creator: 250 } },
};

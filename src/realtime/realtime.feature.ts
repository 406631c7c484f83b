import type { Feature } from '../core/feature.ts';
import { AccountSockets } from './socket/account-sockets.entity.ts';

declare module '../core/feature.ts' {
  interface PlanLimits {
    socketConnections: number;
  }
}

/**
 * Connections on which clients receive events. Comes late in the order of features because channels read the tables of
 * other features.
 */
export const realtime: Feature = {
  name: 'realtime',
  entities: [AccountSockets],
  planLimits: { socketConnections: { free: 5, plus: 25, pro: 100, creator: 250 } },
};

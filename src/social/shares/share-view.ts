import { columnsOf } from '../../core/database/columns-of.ts';
import { pending } from '../counters/counters.ts';
import { Share } from './share.entity.ts';

/** The fields of a share that its owner sees. */
export type ShareView = Omit<Share, 'tokenHash' | 'snapshot' | 'snapshotBytes' | 'held' | 'removedAt' | 'agentName'>;

/** The select list of `ShareView`. The view counter includes views that are not aggregated yet. */
export const shareColumns = columnsOf(Share, 's', {
  except: ['tokenHash', 'snapshot', 'snapshotBytes', 'held', 'removedAt', 'agentName'],
  computed: { viewCount: `s.view_count + ${pending('view', 's.id')}` },
});

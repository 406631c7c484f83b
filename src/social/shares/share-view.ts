import { columnsOf } from '../../core/database/columns-of.ts';
import { pending } from '../counters/counters.ts';
import { Share } from './share.entity.ts';

/** A share as its owner sees it. */
export type ShareView = Omit<Share, 'tokenHash' | 'snapshot' | 'held' | 'removedAt' | 'agentName'>;

/** The select list of a share without its messages. Its counter includes what is not aggregated yet. */
export const shareColumns = columnsOf(Share, 's', {
  except: ['tokenHash', 'snapshot', 'held', 'removedAt', 'agentName'],
  computed: { viewCount: `s.view_count + ${pending('view', 's.id')}` },
});

import { columnsOf } from '../core/database/columns-of.ts';
import { Document as DocumentRow } from './document.entity.ts';

/** A document without the progress of its embedding. */
export type Document = Omit<DocumentRow, 'ownerId' | 'language' | 'space' | 'embedded' | 'embeddedIn'>;

/** The select list of a `Document`; the table is `d`. */
export const documentColumns = columnsOf(DocumentRow, 'd', {
  except: ['ownerId', 'language', 'space', 'embedded', 'embeddedIn'],
});

/** Returns the key of the original in the file store. */
export const documentFileKey = ({ agentId, id }: { agentId: string; id: string }): string => `agents/${agentId}/${id}`;

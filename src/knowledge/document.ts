import { columnsOf } from '../core/database/columns-of.ts';
import { Document as DocumentRow } from './document.entity.ts';

/** A document without the fields that only processing needs. */
export type Document = Omit<DocumentRow, 'ownerId' | 'language' | 'space' | 'embedded' | 'embeddedIn'>;

/** Select list of a `Document`; the table's alias is `d`. */
export const documentColumns = columnsOf(DocumentRow, 'd', {
  except: ['ownerId', 'language', 'space', 'embedded', 'embeddedIn'],
});

/** Returns the key of the original in the file store. */
export const documentFileKey = ({ agentId, id }: { agentId: string; id: string }): string => `agents/${agentId}/${id}`;

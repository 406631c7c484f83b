import type { Logger } from 'pino';
import type { FileStore } from '../../core/files.ports.ts';
import { openFolderStore } from './folder.ts';

/** Opens the store that `FILES_URL` names: a `file:` folder or `s3://bucket/prefix`. @throws StartError when it cannot be used */
export async function openFileStore(url: string, log: Logger): Promise<FileStore> {
  if (!url.startsWith('s3:')) return openFolderStore(url);
  // Imported on demand: the SDK takes 20 MB.
  const { openS3Store, requireBucket } = await import('./s3.ts');
  const client = await requireBucket(url, log);
  return openS3Store(url, client);
}

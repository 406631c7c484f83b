import type { FileStore } from '../../core/files.ports.ts';
import { openFolderStore } from './folder.ts';

/** The store that `FILES_URL` names: a `file:` folder or `s3://bucket/prefix`. */
export async function openFileStore(url: string): Promise<FileStore> {
  if (!url.startsWith('s3:')) return openFolderStore(url);
  // Loaded when it is needed: the SDK takes 20 MB.
  const { openS3Store } = await import('./s3.ts');
  return openS3Store(url);
}

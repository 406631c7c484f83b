import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const roomyBytes = 1024 ** 3;

/** Where scratch folders go: in memory when there is room, because databases are made and dropped ten times as fast there. */
export async function scratchParent(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null);
  return memory && memory.bavail * memory.bsize > roomyBytes ? '/dev/shm' : tmpdir();
}

/** A new folder that every user may enter, as PostgreSQL's must when root runs the tests. */
export async function makeScratchFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(await scratchParent(), prefix));
  await chmod(folder, 0o755);
  return folder;
}

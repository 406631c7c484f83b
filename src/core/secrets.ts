import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const fileSchema = z.object({ authSecret: z.string().min(32), encryptionKey: z.string().min(32) });

export type GeneratedSecrets = z.output<typeof fileSchema>;

/**
 * Returns the secrets of the embedded profile. They are generated at the first start and kept in `secrets.json` (mode
 * 0600) under `dataDir`.
 */
export function loadOrCreateSecrets(dataDir: string): GeneratedSecrets {
  const path = join(dataDir, 'secrets.json');
  return readSecrets(path) ?? createSecrets(dataDir, path);
}

function readSecrets(path: string): GeneratedSecrets | undefined {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    // The file may be intact, and without it nothing that is encrypted can be read again.
    if (code)
      throw new Error(`the secrets cannot be read (${message}). Give this user access to them.`, { cause: error });
    throw new Error(`${path} is damaged. Restore it, or remove it to start with new secrets.`, { cause: error });
  }
}

function createSecrets(dataDir: string, path: string): GeneratedSecrets {
  mkdirSync(dataDir, { recursive: true });
  const secrets = {
    authSecret: randomBytes(32).toString('base64url'),
    encryptionKey: randomBytes(32).toString('base64url'),
  };
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(secrets), { mode: 0o600 });
  try {
    // Unlike a rename, a link never replaces a file that another process has created at the same moment.
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  return readSecrets(path) ?? secrets;
}

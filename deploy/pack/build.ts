import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { packPackages } from './pack.ts';
import { bundleService } from './service.ts';

export const root = resolve(import.meta.dirname, '../..');

/**
 * Builds the service, the console and the widget into `folder`, which must be inside the repository. The parts that do not need each
 * other are built at the same time.
 */
export async function build(folder: string): Promise<void> {
  const compile = ['-p', 'tsconfig.build.json', '--outDir', folder, '--tsBuildInfoFile', join(folder, '.tsbuildinfo')];
  const web = (name: string, ...config: string[]) =>
    run('vite', 'build', 'web', ...config, '--logLevel', 'warn', '--emptyOutDir', '--outDir', join(folder, name));
  await Promise.all([
    Promise.all([run('tsc', ...compile), packPackages(join(folder, 'node_modules'))]).then(() =>
      bundleService(folder, join(folder, 'service')),
    ),
    web('web'),
    web('widget', '-c', 'web/widget.config.ts'),
  ]);
}

/** Runs an installed command in the repository. Its output goes to standard error. @throws Error if it fails */
async function run(command: string, ...args: string[]): Promise<void> {
  const path = join(root, 'node_modules/.bin', command);
  const child = spawn(path, args, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} failed with ${code ?? child.signalCode}.`);
}

if (import.meta.main) await build(resolve(process.argv[2] ?? join(root, 'dist')));

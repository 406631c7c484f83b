import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { packedPackages } from '../../deploy/pack/packages.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Runs a module in a folder whose only packages are the packed ones and GraphQL. */
async function runIn(folder: string, code: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: folder });
  return JSON.parse(stdout.split('\n').at(-2) ?? '');
}

test('what the service imports of packed packages works without the packages', async () => {
  const folder = await makeScratchFolder('packed-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const packages = join(folder, 'node_modules');
  await mkdir(packages);
  await run(process.execPath, [join(root, 'deploy/pack/pack.ts'), packages], { cwd: root });
  await symlink(join(root, 'node_modules/graphql'), join(packages, 'graphql'));
  const loaded = await runIn(
    folder,
    `
      const { S3Client } = await import('@aws-sdk/client-s3');
      const { Upload } = await import('@aws-sdk/lib-storage');
      const { Disk } = await import('flydrive');
      const { FSDriver } = await import('flydrive/drivers/fs');
      const { S3Driver } = await import('flydrive/drivers/s3');
      const { trace } = await import('@opentelemetry/api');
      const { startNodeSdk } = await import('@opentelemetry/sdk-node');
      const { default: scalar } = await import('@scalar/fastify-api-reference');
      const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
      const { detect } = await import('tinyld');
      const { maxDepthRule } = await import('@escape.tech/graphql-armor-max-depth');
      const { maxAliasesRule } = await import('@escape.tech/graphql-armor-max-aliases');
      const { maxDirectivesRule } = await import('@escape.tech/graphql-armor-max-directives');
      const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
      const disk = new Disk(new FSDriver({ location: new URL('files/', 'file://' + process.cwd() + '/'), visibility: 'private' }));
      await disk.put('a.txt', 'stored');
      const client = new S3Client({ region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
      new Disk(new S3Driver({ client, bucket: 'files', visibility: 'private' }));
      console.log(JSON.stringify({
        file: await disk.get('a.txt'),
        functions: [Upload, trace.getTracer, startNodeSdk, scalar, maxDepthRule, maxAliasesRule, maxDirectivesRule, getDocument]
          .map((one) => typeof one),
        tokens: countTokens('tokens are counted'),
        language: detect('Das ist ein kurzer deutscher Satz.'),
      }));
      process.exit(0);
    `,
  );
  expect(loaded).toEqual({ file: 'stored', functions: Array(8).fill('function'), tokens: 3, language: 'de' });
  const names = await readdir(packages, { recursive: true });
  for (const { name } of packedPackages) expect(names).toContain(join(name, 'package.json'));
  expect(names).toContain(join('pdfjs-dist', 'cmaps', 'UniGB-UTF16-H.bcmap'));
  expect(names).toContain(join('.shared', 'licenses.md'));
}, 120_000);

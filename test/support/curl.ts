import { execFile } from 'node:child_process';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The part of curl that the guides use, for machines that have only Node. */
const curlReplacement = `#!/usr/bin/env node
const args = process.argv.slice(2);
const headers = {};
let method = 'GET', body, url;
for (let i = 0; i < args.length; i++) {
  if (args[i] === '-X') method = args[++i];
  else if (args[i] === '-d') body = args[++i];
  else if (args[i] === '-H') { const [name, ...value] = args[++i].split(':'); headers[name] = value.join(':').trim(); }
  else if (!args[i].startsWith('-')) url = args[i];
}
const response = await fetch(url, { method, headers, body });
for await (const chunk of response.body ?? []) process.stdout.write(chunk);
`;

/** Returns a PATH that contains curl: the machine's, or a replacement. */
export async function pathWithCurl(): Promise<string> {
  const path = process.env['PATH'] ?? '';
  const hasCurl = await promisify(execFile)('curl', ['--version']).then(
    () => true,
    () => false,
  );
  if (hasCurl) return path;
  const folder = await mkdtemp(join(tmpdir(), 'acs-curl-'));
  await writeFile(join(folder, 'curl'), curlReplacement);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await chmod(join(folder, 'curl'), 0o755);
  return `${folder}${delimiter}${path}`;
}

import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);

const secret = 'whsec_c2VjcmV0IG9mIHRoZSBSRUFETUUncyBzbmlwcGV0cw==';
const body = Buffer.from('{"id":"evt_1","data":{"content":"line\u2028separator, \\"quotes\\", 🦉 and é"}}');
const signature = createHmac('sha256', secret).update(body).digest('hex');
/** Requests that must be accepted or rejected. */
const cases: [name: string, secret: string, body: Buffer, signature: string, valid: boolean][] = [
  ['the delivery as it came', secret, body, signature, true],
  ['another body', secret, Buffer.concat([body, Buffer.from(' ')]), signature, false],
  ['another secret', `${secret}x`, body, signature, false],
  ['the secret without its prefix', secret.slice(6), body, signature, false],
  ['another signature', secret, body, signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), false],
  ['a signature cut short', secret, body, signature.slice(0, -2), false],
  ['no signature', secret, body, '', false],
];

let folder: string;
let snippets: Map<string, string>;
const tools = new Map<string, boolean>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-snippets-'));
  const guide = await readFile('docs/webhooks.md', 'utf8');
  snippets = new Map(
    [...guide.matchAll(/^```(\w+) verify\n(.*?)^```$/gms)].map(([, language = '', code = '']) => [language, code]),
  );
  for (const [tool, arg] of [
    ['python3', '--version'],
    ['go', 'version'],
    ['openssl', 'version'],
  ] as const)
    tools.set(
      tool,
      await run(tool, [arg]).then(
        () => true,
        () => false,
      ),
    );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program that contains the snippet. Returns whether it accepted the request. */
async function ask(program: string, args: string[], [, key, bytes, given]: (typeof cases)[number]): Promise<boolean> {
  const file = join(folder, 'body');
  await writeFile(file, bytes);
  const { stdout } = await run(program, [...args, key, file, given]);
  return stdout.trim() === 'valid';
}

const verdicts = async (program: string, args: string[]) => {
  const answers: [string, boolean][] = [];
  for (const one of cases) answers.push([one[0], await ask(program, args, one)]);
  return answers;
};

const expected = cases.map(([name, , , , valid]) => [name, valid]);

describe('the webhook guide shows how to verify a signature', () => {
  test('in Node, Python, Go and shell', () => {
    expect([...snippets.keys()]).toEqual(['js', 'python', 'go', 'sh']);
  });

  test('correctly in Node', async () => {
    const file = join(folder, 'verify.mjs');
    await writeFile(
      file,
      `${snippets.get('js')}
       import { readFileSync } from 'node:fs';
       const [secret, file, signature] = process.argv.slice(2);
       console.log(verify(secret, readFileSync(file), signature ?? '') ? 'valid' : 'invalid');`,
    );
    expect(await verdicts(process.execPath, [file])).toEqual(expected);
  });

  // Without the language installed, only check that the snippet uses the same key, hash and comparison.
  test('correctly in Python', async () => {
    const code = snippets.get('python') ?? '';
    expect(code).toMatch(/hmac\.new\(secret\.encode\(\), body, hashlib\.sha256\)\.hexdigest\(\)/);
    expect(code).toContain('hmac.compare_digest(');
    if (!tools.get('python3')) return;
    const file = join(folder, 'verify.py');
    await writeFile(
      file,
      `${code}

import sys

secret, path, signature = sys.argv[1:]
print("valid" if verify(secret, open(path, "rb").read(), signature) else "invalid")
`,
    );
    expect(await verdicts('python3', [file])).toEqual(expected);
  });

  test('correctly in Go', async () => {
    const code = snippets.get('go') ?? '';
    expect(code).toMatch(/hmac\.New\(sha256\.New, \[\]byte\(secret\)\)\s+mac\.Write\(body\)/);
    expect(code).toContain('hmac.Equal(');
    expect(code).toContain('hex.DecodeString(signature)');
    if (!tools.get('go')) return;
    const source = code.replace('package webhook', 'package main').replace('import (', 'import (\n\t"fmt"\n\t"os"');
    const file = join(folder, 'verify.go');
    await writeFile(
      file,
      `${source}
func main() {
	body, _ := os.ReadFile(os.Args[2])
	if Verify(os.Args[1], body, os.Args[3]) {
		fmt.Println("valid")
	} else {
		fmt.Println("invalid")
	}
}
`,
    );
    expect(await verdicts('go', ['run', file])).toEqual(expected);
  });

  test('correctly in the shell', async () => {
    const code = snippets.get('sh') ?? '';
    expect(code).toContain('openssl dgst -sha256 -hmac "$1" -r "$2"');
    if (!tools.get('openssl')) return;
    const file = join(folder, 'verify.sh');
    await writeFile(file, `${code}\nif verify "$@"; then echo valid; else echo invalid; fi\n`);
    expect(await verdicts('sh', [file])).toEqual(expected);
  });
});

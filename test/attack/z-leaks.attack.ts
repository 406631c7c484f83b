import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { mailWith, tokenIn } from '../support/outbox.ts';
import { attack } from './lab/attack.ts';
import { type LabService, openLab } from './lab/lab.ts';

const lab = openLab();

const run = promisify(execFile);

/** Creates one secret of every kind in a service. Returns them by kind. */
async function plant(service: LabService): Promise<Record<string, string>> {
  const mark = `canary${Math.random().toString(36).slice(2)}`;
  const { token, email } = await service.signUp();
  const post = async (path: string, body: unknown, as: string | undefined = token) =>
    (await service.call('POST', path, { as, body })).body;
  const password = `${mark}-password-of-a-person`;
  await post('/v1/auth/register', { email: `${mark}@example.com`, password }, undefined);
  const login = await post('/v1/auth/login', { email: `${mark}@example.com`, password }, undefined);
  const key = await post('/v1/auth/api-keys', { name: 'k', scopes: ['account:read'] });
  const hook = await post('/v1/webhooks', { url: 'https://127.0.0.1:1/', events: ['agent.created'] });
  const own = `${mark}-own-webhook-secret`;
  await post('/v1/webhooks', { url: 'https://127.0.0.1:1/', events: ['agent.created'], secret: own });
  const agent = await post('/v1/agents', {
    name: 'Ada',
    instructions: `${mark}-instructions`,
    greeting_message: 'Hello.',
  });
  const botToken = `1:${mark}-bot-token`;
  await post('/v1/integrations/chat_messenger', { agent_id: agent.id, bot_token: botToken });
  const conversation = await post('/v1/conversations', { agent_id: agent.id });
  const message = `${mark}-message-text`;
  await post(`/v1/conversations/${conversation.id}/messages`, { content: message });
  await service.call('GET', '/v1/auth/me', { as: key.key });
  await service.call('GET', '/v1/auth/me', { as: `${token}x` });
  return {
    password,
    'access token': login.access_token,
    'refresh token': login.refresh_token,
    'API key': key.key,
    'webhook secret': hook.secret,
    'own webhook secret': own,
    'bot token': botToken,
    message,
    instructions: `${mark}-instructions`,
    email,
  };
}

/** Returns every row of every table as text. */
async function dumpOf(service: LabService): Promise<Map<string, string>> {
  const { rows: tables } = await service.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await service.db.query<{ row: string }>(`select t::text as row from ${name} t`);
    dump.set(name, rows.map(({ row }) => row).join('\n'));
  }
  return dump;
}

function* filesBelow(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

attack(
  'A86 A15 A87',
  'logs, every table and the data folder of both services, searched for the secrets given to them',
  async (score) => {
    for (const service of [lab.open, lab.shipped]) {
      const planted = await plant(service);
      if (service === lab.open) {
        const { email = '' } = planted;
        await service.call('POST', '/v1/auth/forgot-password', { body: { email } });
        planted['reset token'] = tokenIn(await mailWith(service, email, 'Set a new password'));
        planted['verification token'] = tokenIn(await mailWith(service, email, 'Confirm your e-mail address'));
      }
      const log = readFileSync(service.logFile, 'utf8');
      expect(log.length).toBeGreaterThan(1_000);
      const secrets: Record<string, string> = { ...planted, ...lab.secrets };
      await score.each(Object.entries(secrets), async ([name, secret]) =>
        secret && log.includes(secret) ? `${name} is in the log` : null,
      );
      // The tables contain the account's data, but its credentials only as hashes or encrypted. Outbox mails
      // without a mail server are the exception: /dev/mail shows them.
      const { message: _message, instructions: _instructions, email: _email, ...credentials } = secrets;
      for (const [table, text] of await dumpOf(service))
        await score.each(Object.entries(credentials), async ([name, secret]) =>
          secret && text.includes(secret) ? `${name} is in ${table}` : null,
        );
      for (const file of [...filesBelow(service.dataDir)].filter((path) => !path.includes('/secrets')))
        await score.each(Object.entries(credentials), async ([name, secret]) =>
          secret && readFileSync(file).includes(secret) ? `${name} is in ${file}` : null,
        );
    }
  },
  120_000,
);

attack('A86 A73', 'every line of the logs: one JSON object each, without injected line breaks', async (score) => {
  const forged = 'x\r\n{"level":30,"msg":"forged line"}';
  for (const service of [lab.open, lab.shipped]) {
    for (const name of ['user-agent', 'x-request-id', 'referer', 'idempotency-key'])
      await service.call('GET', `/v1/${encodeURIComponent(forged)}`, {
        headers: { [name]: encodeURIComponent(forged) },
      });
    await service.call('POST', '/v1/auth/login', { body: { email: forged, password: forged } });
    const lines = readFileSync(service.logFile, 'utf8').split('\n').filter(Boolean);
    await score.each(lines, async (line) => {
      if (line.includes('forged line') && (JSON.parse(line) as { msg: string }).msg === 'forged line') return 'forged';
      return line.startsWith('{') && line.endsWith('}') ? null : `no object: ${line.slice(0, 100)}`;
    });
  }
});

attack(
  'A95',
  'the lockfile, install scripts, licences and the history of the repository',
  async (score) => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<
        string,
        {
          version?: string;
          resolved?: string;
          integrity?: string;
          link?: boolean;
          inBundle?: boolean;
          hasInstallScript?: boolean;
          license?: string;
          dev?: boolean;
        }
      >;
    };
    const allowed = (JSON.parse(readFileSync('package.json', 'utf8')) as { allowScripts: Record<string, boolean> })
      .allowScripts;
    const free =
      /^\(?(MIT|MIT-0|ISC|0BSD|BSD|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Python-2\.0|CC-BY-4\.0|Zlib|WTFPL)/;
    // An optional package that runs as a separate process, documented in docs/security.md.
    const exceptions: Record<string, string> = { 'espeak-ng': 'GPL-3.0-or-later' };
    // A shared library, which users can replace with their own build.
    const isReplaceable = (name: string, license: string) =>
      name.startsWith('@img/sharp-') && license.endsWith('LGPL-3.0-or-later');
    await score.each(
      Object.entries(lock.packages).filter(([path]) => path !== ''),
      async ([path, entry]) => {
        const name = path.slice(path.lastIndexOf('node_modules/') + 13);
        if (entry.link) return null;
        if (!entry.integrity?.startsWith('sha512-') && !entry.inBundle) return 'no sha512';
        if (entry.resolved && !entry.resolved.startsWith('https://registry.npmjs.org/')) return entry.resolved;
        if (entry.hasInstallScript && !(name in allowed)) return 'an install script that is not in allowScripts';
        if (entry.dev || name in exceptions) return null;
        if (isReplaceable(name, entry.license ?? '')) return null;
        return entry.license && !free.test(entry.license) ? `licence ${entry.license}` : null;
      },
    );
  },
  60_000,
);

attack(
  'A95',
  'the history, searched for patterns of keys',
  async (score) => {
    const patterns = [
      '-----BEGIN [A-Z ]*PRIVATE KEY-----',
      'AKIA[0-9A-Z]{16}',
      'ghp_[A-Za-z0-9]{36}',
      'xox[baprs]-[0-9]{8,}-[0-9A-Za-z-]{10,}',
      'sk_live_[0-9A-Za-z]{24,}',
      'sk-proj-[0-9A-Za-z_-]{40,}',
      'rk_live_[0-9A-Za-z]{20,}',
      'AIza[0-9A-Za-z_-]{35}',
      'npm_[A-Za-z0-9]{36}',
      'glpat-[0-9A-Za-z_-]{20}',
    ];
    const history = await run('git', ['log', '-p', '--all', '--no-color', '--unified=0'], { maxBuffer: 1 << 29 }).catch(
      () => null,
    );
    if (history === null) return score.notRun('git or the history is missing');
    const added = history.stdout.split('\n').filter((line) => line.startsWith('+'));
    await score.each(patterns, async (pattern) => {
      const found = added.find((line) => new RegExp(pattern).test(line));
      return found ? found.slice(0, 60) : null;
    });
    return undefined;
  },
  120_000,
);

attack(
  'A95',
  'npm audit of the production dependencies',
  async (score) => {
    const said = await run('npm', ['audit', '--json', '--omit=dev'], { maxBuffer: 1 << 27, timeout: 60_000 }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { stdout?: string }).stdout ?? '',
    );
    const report = (said.startsWith('{') ? JSON.parse(said) : {}) as {
      metadata?: { vulnerabilities: Record<string, number> };
    };
    if (!report.metadata) return score.notRun('the registry does not support audits');
    score.tried();
    const { high, critical } = report.metadata.vulnerabilities;
    expect({ high, critical }).toEqual({ high: 0, critical: 0 });
    return undefined;
  },
  90_000,
);

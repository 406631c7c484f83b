import { globSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { checkSync } from 'recheck';
import { expect } from 'vitest';
import { createOwner } from '../contract/authorisation-seed.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';
import { judge } from './lab/judge.ts';

const lab = openLab();
const a = await createOwner(lab.open);

/** Files whose input users do not control, or whose process is killed when an expression takes too long. */
const outOfReach: Record<string, string> = {
  'src/simulators/': 'never in production',
  'src/knowledge/extract/': 'a separate process that is killed',
  'src/conversations/prompt/titles.ts': 'at most 500 characters',
  'src/core/config/read-settings.ts': 'text of the operator',
  'src/providers/mail/smtp.ts': 'text of the operator',
  'src/providers/files/s3.ts': 'text of the operator',
  'src/providers/slack/chat-workspace.ts': 'text of the operator',
  'src/providers/telegram/chat-messenger.ts': 'text of the operator',
  'src/providers/stripe/': 'text of the operator',
};

attack(
  'A72',
  'every regular expression of the product under recheck, and 50 kB of slow input for every text',
  async (score) => {
    const expressions = new Map<string, string>();
    for (const file of globSync(['src/**/*.ts', 'schema/**/*.ts', 'rest/**/*.ts', 'jobs/**/*.ts'])) {
      const code = readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
      for (const [, source = '', flags = ''] of code.matchAll(
        /(?<=[=(,:!&|?[{};\s])\/(?![*/\s])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g,
      ))
        expressions.set(`/${source}/${flags}`, file);
    }
    expect(expressions.size).toBeGreaterThan(60);
    const unsure: string[] = [];
    const held: string[] = [];
    await score.each(
      expressions.keys(),
      async (expression) => {
        const end = expression.lastIndexOf('/');
        const result = checkSync(expression.slice(1, end), expression.slice(end + 1), { timeout: 5_000 });
        if (result.status === 'unknown') unsure.push(expression);
        if (result.status !== 'vulnerable') return null;
        const file = expressions.get(expression) ?? '';
        if (Object.keys(outOfReach).some((path) => file.startsWith(path))) return null;
        const ms = timeOf(expression, result.attack.pumps, result.attack.suffix);
        held.push(`${file} ${ms} ms`);
        return ms > 250 ? `${file}: ${result.complexity.type}, ${ms} ms, ${result.attack.pattern.slice(0, 80)}` : null;
      },
      1,
    );
    score.note(
      `${expressions.size} expressions${unsure.length > 0 ? `, undecided: ${unsure.length}` : ''}; polynomial, measured at 32,000 characters: ${held.join(', ')}`,
    );
    const bombs = [
      'a',
      ' ',
      '\t',
      '-',
      '.',
      '@',
      'a@',
      'a.',
      '[',
      '(',
      '*',
      '_',
      '`',
      '#',
      '\n',
      '%',
      '<',
      '!',
      '|',
      'a\n',
      '[a](',
      '**a',
      '_a_',
      '```\n',
      '\u200b',
    ].map((unit) => unit.repeat(Math.ceil(50_000 / unit.length)).slice(0, 50_000));
    const places: [string, (bomb: string) => [string, string, unknown]][] = [
      ['e-mail', (bomb) => ['POST', '/v1/auth/login', { email: `${bomb}@example.com`, password: 'x' }]],
      ['username', (bomb) => ['PUT', '/v1/auth/me', { username: bomb }]],
      ['avatar', (bomb) => ['PUT', '/v1/auth/me', { avatar_url: `https://${bomb}` }]],
      [
        'webhook',
        (bomb) => ['POST', '/v1/webhooks', { url: `https://example.com/${bomb}`, events: ['agent.created'] }],
      ],
      ['instructions', (bomb) => ['POST', '/v1/agents', { name: bomb, instructions: bomb }]],
      ['token', (bomb) => ['POST', '/v1/auth/reset-password', { token: bomb, new_password: bomb }]],
      [
        'channel',
        (bomb) => [
          'POST',
          '/v1/integrations/chat_server',
          { agent_id: a.its.agentId, bot_token: bomb, guild_id: bomb, channel_ids: [bomb] },
        ],
      ],
    ];
    await score.each(
      places.flatMap(([name, make]) =>
        bombs.map((bomb) => Object.assign([name, bomb.slice(0, 8)], { request: make(bomb) })),
      ),
      async ({ request: [method, path, body] }) => {
        const startedAt = performance.now();
        const answer = await lab.open.call(method, path, { as: a.token, body });
        return judge(answer, startedAt, 500);
      },
      1,
    );
  },
  180_000,
);

/** Milliseconds that an expression takes for 32,000 characters of its worst input; stops after two seconds. */
function timeOf(expression: string, pumps: readonly { prefix: string; pump: string }[], suffix: string): number {
  const end = expression.lastIndexOf('/');
  const times = (pump: string) => Math.floor(32_000 / pumps.length / Math.max(1, pump.length));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times(pump))).join('') + suffix;
  const code = `text.replace(new RegExp(source, flags), '')`;
  const given = { text, source: expression.slice(1, end), flags: expression.slice(end + 1) };
  const startedAt = performance.now();
  try {
    runInNewContext(code, given, { timeout: 2_000 });
  } catch {
    return 2_000;
  }
  return Math.round(performance.now() - startedAt);
}

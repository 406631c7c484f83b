import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../web/src/api/api-error.ts';
import { BlockReader, maxMarkdownLength, maxShownBlocks } from '../../../web/src/chat/markdown/blocks.ts';
import { plainText } from '../../../src/core/markdown/plain-text.ts';
import { markdownHtml } from '../../../web/src/chat/markdown/markdown-html.ts';
import { lastSentence, plainHighlight } from '../../../web/src/chat/markdown/plain-text.ts';
import { startersOf } from '../../../web/src/conversations/new-chat/starters.ts';
import { Busy, readReply, type ReplyEvent, type ReplySource } from '../../../web/src/chat/replies/reply.ts';

import { limitsTime } from '../../support/wall-clock.ts';

const delta = (content: string, end: number): ReplyEvent => ({
  __typename: 'MessageDelta',
  generationId: 'gen_1',
  content,
  end,
});
const done: ReplyEvent = {
  __typename: 'MessageDone',
  messageId: 'msg_2',
  userMessageId: 'msg_1',
  generationId: 'gen_1',
  stopped: false,
};

/** Replays one list of events or errors per connection, and records where each connection resumed. */
function playing(...connections: (ReplyEvent | ApiError)[][]) {
  const resumedAt: number[] = [];
  let connection = 0;
  async function* next() {
    for (const event of connections[connection++] ?? []) {
      if (event instanceof ApiError) throw event;
      yield event;
    }
  }
  const source: ReplySource = {
    begin: next,
    resume: (_id, from) => {
      resumedAt.push(from);
      return next();
    },
    findRunning: async () => 'gen_1',
  };
  const texts: string[] = [];
  const listener = {
    onBegun: () => undefined,
    onText: (text: string) => void texts.push(text),
    onWaiting: () => undefined,
    onQueued: () => undefined,
  };
  const read = () => readReply(source, listener, new AbortController().signal, async () => undefined);
  return { read, source, texts, resumedAt };
}

const lost = () => new ApiError('OFFLINE', 'lost');

describe('readReply', () => {
  test('resumes after a lost connection without repeating or missing a character', async () => {
    const { read, texts, resumedAt } = playing(
      [delta('Hel', 3), lost()],
      [delta('ello', 5), lost()],
      [delta('!', 6), done],
    );
    expect(await read()).toBe(done);
    expect(texts.at(-1)).toBe('Hello!');
    expect(resumedAt).toEqual([3, 5]);
  });

  test('restarts when the connection was lost before anything arrived', async () => {
    const { read, resumedAt } = playing([lost()], [delta('Hi', 2), done]);
    await read();
    expect(resumedAt).toEqual([]);
  });

  test('joins the reply that another tab began', async () => {
    const { read, texts } = playing([new ApiError('GENERATION_IN_PROGRESS', 'busy')], [delta('Hi', 2), done]);
    await read();
    expect(texts).toEqual(['Hi']);
  });

  test('does not take the reply to another message for its own', async () => {
    const { read, source, texts } = playing([new ApiError('GENERATION_IN_PROGRESS', 'busy')], [delta('Hi', 2), done]);
    source.isOwn = true;
    await expect(read()).rejects.toEqual(new Busy('gen_1'));
    expect(texts).toEqual([]);
  });

  test('begins again when the running reply has just ended', async () => {
    const { read, source, texts } = playing([new ApiError('GENERATION_IN_PROGRESS', 'busy')], [delta('Hi', 2), done]);
    Object.assign(source, { isOwn: true, findRunning: async () => null });
    expect(await read()).toBe(done);
    expect(texts).toEqual(['Hi']);
  });

  test('treats a stream that ends early as a lost connection', async () => {
    const { read, texts } = playing([delta('Hi', 2)], [delta(' you', 6), done]);
    await read();
    expect(texts.at(-1)).toBe('Hi you');
  });

  test.each([
    ['a refusal', [new ApiError('PLAN_LIMIT_EXCEEDED', 'full')]],
    [
      'a failed reply, also with a code that is retried otherwise',
      [{ __typename: 'MessageError', generationId: 'gen_1', code: 'unavailable', message: 'down' } as const],
    ],
  ])('%s is not tried again', async (_name, events) => {
    await expect(playing(events).read()).rejects.toBeInstanceOf(ApiError);
  });
});

const markdown = [
  '# Title\n\nA paragraph\nof two lines.\n\n',
  '- one\n- two\n\n  more of two\n\n',
  '```ts\nconst a = 1;\n\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n',
  '> quoted\n\nThe end, with $x^2$.\n\n1. first\n2. second\n',
].join('');

describe('BlockReader', () => {
  test('its blocks contain the whole text, however it arrives', () => {
    for (const step of [1, 3, 7, 50]) {
      const reader = new BlockReader();
      for (let end = step; end < markdown.length; end += step) {
        const settled = reader.read(markdown.slice(0, end), false).filter((block) => block.isSettled);
        expect(markdown.startsWith(settled.map(({ source }) => source).join(''))).toBe(true);
      }
      const blocks = reader.read(markdown, true);
      expect(blocks).toEqual(new BlockReader().read(markdown, true));
      expect(blocks.map(({ source }) => source).join('')).toBe(markdown);
    }
  });

  test('a settled block never changes again', () => {
    const reader = new BlockReader();
    let settled: string[] = [];
    for (let end = 1; end <= markdown.length; end++) {
      const now = reader.read(markdown.slice(0, end), false).filter((block) => block.isSettled);
      expect(now.slice(0, settled.length).map(({ source }) => source)).toEqual(settled);
      settled = now.map(({ source }) => source);
    }
    expect(settled.length).toBeGreaterThan(3);
  });

  test('code and tables are blocks of their own', () => {
    const kinds = new BlockReader().read(markdown, true).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'markdown')).toEqual(['code', 'table']);
  });
});

describe('a text that exceeds the limits', () => {
  test('is plain beyond them and loses nothing', () => {
    for (const text of ['a\n\n'.repeat(maxShownBlocks + 10), `**${'word '.repeat(maxMarkdownLength / 5)}**\n\n> end`]) {
      const blocks = new BlockReader().read(text, true);
      expect(blocks.map(({ source }) => source).join('')).toBe(text);
      expect(blocks.at(-1)?.kind).toBe('plain');
      expect(blocks.length).toBeLessThanOrEqual(maxShownBlocks + 1);
    }
  });

  test('is parsed in bounded time', limitsTime, () => {
    for (const unit of ['>', '\\[\n', '**a *b ', '- a\nb\n']) {
      const text = unit.repeat(32_000 / unit.length);
      const { user } = process.cpuUsage();
      new BlockReader().read(text, true).map(({ tokens }) => markdownHtml(tokens));
      expect(process.cpuUsage({ user, system: 0 }).user / 1_000).toBeLessThan(500);
    }
  });
});

describe('startersOf', () => {
  test.each([
    ['Knows the opening hours and how borrowing works.', 'Tell me about the opening hours.'],
    ['Drafts and tightens texts.', 'Tell me about texts.'],
    ['Helps with questions about our documents.', 'Tell me about questions about our documents.'],
    ['A patient tutor for any subject.', 'Give me an example.'],
    [null, 'Give me an example.'],
  ])('%s', (description, second) => {
    const starters = startersOf(description);
    expect([starters.length, starters[1]]).toEqual([4, second]);
  });
});

describe('plainText', () => {
  test('keeps the marks and entities of found text', () => {
    expect(plainHighlight('- **a &lt;b&gt; <mark>prime</mark>** of `n`')).toBe('a &lt;b&gt; <mark>prime</mark> of n');
  });

  test('returns the words of Markdown without its syntax', () => {
    const text = plainText('## A *title*\n\n- **one** [link](https://x.example)\n\n```ts\nconst a_b = 1;\n```\n');
    expect(text).toBe('A title one link const a_b = 1;');
  });

  test('returns the last complete sentence while the text grows', () => {
    expect(lastSentence('One. Two! Thr', false)).toBe('Two!');
    expect(lastSentence('One. Two! Three', true)).toBe('Three');
  });
});

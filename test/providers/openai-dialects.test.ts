import { describe, expect, test } from 'vitest';
import { openScriptedProvider } from './scripted-provider.ts';

const { simulator, createModel, read, failure } = openScriptedProvider();

const chunk = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const choice = (fields: object): string => chunk({ id: 'x', object: 'chat.completion.chunk', choices: [fields] });
const text = (content: unknown): string => choice({ index: 0, delta: { content }, finish_reason: null });
const finish = (reason: unknown): string => choice({ index: 0, delta: {}, finish_reason: reason });
const done = 'data: [DONE]\n\n';
const answer = (...pieces: string[]): void => simulator.script({ raw: { pieces } });

describe('the end of a stream', () => {
  test.each([
    ['[DONE] without a finish_reason', [text('one'), done]],
    ['[DONE] after a finish_reason of null', [text('one'), finish(null), done]],
    ['[DONE] without a line break', [text('one'), 'data:[DONE]']],
    ['a finish_reason without [DONE]', [text('one'), finish('stop')]],
    ['a finish_reason of another provider', [text('one'), finish('end_turn'), done]],
    ['a finish_reason in capitals', [text('one'), finish('STOP'), done]],
  ])('is %s', async (_, pieces) => {
    answer(...pieces);
    expect(await read()).toMatchObject({ text: 'one', reason: 'stop' });
  });

  test.each(['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'model_context_window_exceeded'])(
    'at a length limit is %s',
    async (reason) => {
      answer(text('one'), finish(reason), done);
      expect(await read()).toMatchObject({ text: 'one', reason: 'length' });
    },
  );

  test.each([
    ['error', 'fault'],
    ['insufficient_system_resource', 'fault'],
    ['SAFETY', 'content filter'],
    ['content_filter', 'content filter'],
    ['RECITATION', 'content filter'],
    ['tool_calls', 'tool'],
    ['a-reason-of-tomorrow', 'unknown reason'],
    [7, 'unknown reason'],
  ])('with the reason %j is an error after the text', async (reason, explanation) => {
    answer(text('one'), finish(reason), done);
    let shown = '';
    const error = await failure({ onText: (content) => (shown += content) });
    expect([shown, error.code, error.message]).toEqual(['one', 'upstream_error', expect.stringContaining(explanation)]);
  });

  test('that closes without an end is an error after the text', async () => {
    answer(text('one'), text(' two'));
    expect((await failure()).message).toContain('broke off');
  });
});

describe('chunks without text', () => {
  test.each([
    ['a filter result of Azure', choice({ index: 0, finish_reason: null, content_filter_offsets: {} })],
    ['prompt filter results', chunk({ choices: [], prompt_filter_results: [{}] })],
    ['a delta of null', choice({ index: 0, delta: null })],
    ['a choice of null', chunk({ choices: [null] })],
    ['a chunk of null', chunk(null)],
    ['a number', chunk(7)],
    ['a list', chunk([])],
    ['choices of null', chunk({ choices: null })],
    ['content of null', text(null)],
    ['an error of null', chunk({ error: null, choices: [] })],
    ['a comment', ': PROCESSING\n\n'],
    ['a ping with other data', 'event: ping\ndata: now\n\n'],
    ['an empty event', 'data:\n\n'],
    ['thoughts', choice({ delta: { reasoning_content: 'hm' } })],
    ['a part with thoughts', text([{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }])],
    ['a part with references', text([{ type: 'reference', reference_ids: [1] }])],
  ])('are skipped: %s', async (_, skipped) => {
    answer(skipped, text('one'), skipped, text(' two'), skipped, finish('stop'), skipped, done);
    expect(await read()).toMatchObject({ text: 'one two', reason: 'stop' });
  });

  test('parts with text are joined, and others ignored', async () => {
    answer(text([{ type: 'thinking', thinking: [] }, { type: 'text', text: 'one' }, ' two', null, 7]), done);
    expect((await read()).text).toBe('one two');
  });

  test('a refusal is the text of the reply', async () => {
    answer(
      choice({ delta: { refusal: 'I cannot' } }),
      choice({ delta: { refusal: ' do that.' } }),
      finish('stop'),
      done,
    );
    expect((await read()).text).toBe('I cannot do that.');
  });
});

describe('a response that is not a stream', () => {
  const completion = { choices: [{ message: { role: 'assistant', content: 'one two' }, finish_reason: 'stop' }] };

  test.each([
    ['one completion', JSON.stringify(completion)],
    ['a chunk in each line', `{"choices":[{"delta":{"content":"one"}}]}\n{"choices":[{"delta":{"content":" two"}}]}\n`],
  ])('is read as JSON: %s', async (_, body) => {
    simulator.script({ raw: { headers: { 'content-type': 'application/json' }, pieces: [body] } });
    expect(await read()).toMatchObject({ text: 'one two', reason: 'stop' });
  });

  test.each([
    ['a web page', 200, '<!doctype html><p>Sign in</p>', 'web page'],
    ['a web page with an error', 404, '<html>nginx</html>', 'web page'],
    ['an empty stream', 200, '', 'empty response'],
    ['JSON without a reply', 200, '{"status":"ok"}', 'empty reply'],
    ['no JSON', 200, '{"choices":[', 'unknown format'],
    ['an event that is no JSON', 200, 'data: {"choices"\n\ndata: [DONE]\n\n', 'unknown format'],
    ['an error in JSON', 200, '{"error":{"message":"No.","code":402}}', 'quota'],
    ['a redirect', 302, '', 'redirects'],
    ['no content', 204, '', 'empty response'],
  ])('is an error that names it: %s', async (_, status, body, explanation) => {
    simulator.script({ raw: { status, pieces: body === '' ? [] : [body] }, times: 3 });
    const error = await failure();
    expect([error.code, error.message]).toEqual(['upstream_error', expect.stringContaining(explanation)]);
    simulator.reset();
  });
});

describe('a reply without text', () => {
  const thought = choice({ delta: { reasoning_content: 'hm' } });

  test.each([
    ['nothing', [finish('stop')], 'empty reply'],
    ['only thoughts', [thought, finish('stop')], 'wrote no reply'],
    ['only thoughts up to the limit', [thought, finish('length')], 'length limit'],
    ['thoughts in a tag up to the limit', [text('<think>hm'), finish('length')], 'length limit'],
    ['a tool call', [choice({ delta: { tool_calls: [{ index: 0 }] } })], 'tool'],
  ])('fails with an explanation: %s', async (_, pieces, explanation) => {
    answer(...pieces, done);
    const error = await failure();
    expect([error.code, error.message]).toEqual(['upstream_error', expect.stringContaining(explanation)]);
  });
});

describe('thoughts in a tag', () => {
  test.each([
    [['<think>Okay, the user', ' wants a list.</think>\n\nHere', ' it is.']],
    [['\n<thi', 'nk', '>hm</th', 'ink>', '\n', '\nHere it is.']],
    [['<THINKING>hm</THINKING>Here it is.']],
    [['[THINK]hm[/THINK] Here it is.']],
    [['<think></think><think>once more</think> ', 'Here it is.']],
  ])('at the start are not part of the reply: %j', async (deltas) => {
    simulator.script({ deltas });
    expect((await read()).text).toBe('Here it is.');
  });

  test.each([
    [['Use <think>', ' tags </think>.']],
    [['<thin', ' ice']],
    [[' <', 'b>bold']],
    [['<think']],
    [['  two blanks first']],
  ])('after the first word, and other text, are kept: %j', async (deltas) => {
    simulator.script({ deltas });
    expect((await read()).text).toBe(deltas.join(''));
  });
});

describe('usage', () => {
  const counted = { inputTokens: expect.any(Number) as number, outputTokens: 3 };

  test.each([
    { prompt_tokens: 12.5, completion_tokens: 2 ** 40 },
    { prompt_tokens: '12', completion_tokens: '3' },
    { prompt_tokens: -1, completion_tokens: 0 },
    { prompt_tokens: null },
    'many',
  ])('that is not a count is counted by the service: %j', async (usage) => {
    answer(text('one two three'), finish('stop'), chunk({ choices: [], usage }), done);
    const { usage: used } = await read();
    expect(used).toEqual(counted);
    expect(used.inputTokens).toBeLessThan(100);
    expect(used.inputTokens % 1).toBe(0);
  });

  test('is that of the last chunk which reports it', async () => {
    const usage = (tokens: number) => ({ prompt_tokens: 7, completion_tokens: tokens });
    answer(chunk({ choices: [{ delta: { content: 'one' } }], usage: usage(1) }), chunk({ usage: usage(2) }), done);
    expect((await read()).usage).toEqual({ inputTokens: 7, outputTokens: 2 });
  });
});

describe('a provider that is alive', () => {
  test.each([
    ['comments', ': PROCESSING\n\n'],
    ['thoughts', choice({ delta: { reasoning_content: 'hm' } })],
  ])('is waited for while it sends %s, before the text and within it', async (_, sign) => {
    const signs = Array.from({ length: 8 }, () => sign);
    simulator.script({ raw: { pieces: [...signs, text('one'), ...signs, text(' two'), done], pieceDelayMs: 100 } });
    const from = createModel({ firstDeltaTimeoutMs: 700, idleTimeoutMs: 700, textTimeoutMs: 30_000 });
    expect((await read({ from })).text).toBe('one two');
  });

  test('without any text fails after its own, longer limit', async () => {
    const pieces = Array.from({ length: 1_000 }, () => ': PROCESSING\n\n');
    simulator.script({ raw: { pieces, pieceDelayMs: 20 } });
    const from = createModel({ firstDeltaTimeoutMs: 300, idleTimeoutMs: 5_000, textTimeoutMs: 400 });
    expect((await failure({ from })).code).toBe('upstream_timeout');
  });
});

/** The parts of a streamed chat completion, as the model provider sends them. */
export interface Completion {
  opening: string;
  piece: (content: string) => string;
  ending: (deltas: number) => string;
}

export function createCompletion(id: string): Completion {
  const chunk = (choice: object | null, usage: object | null = null): string =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench', choices: choice ? [choice] : [], usage })}\n\n`;
  const choice = (delta: object, finish: string | null) => ({ index: 0, delta, logprobs: null, finish_reason: finish });
  return {
    opening: chunk(choice({ role: 'assistant', content: '' }, null)),
    piece: (content) => chunk(choice({ content }, null)),
    ending: (deltas) =>
      chunk(choice({}, 'stop')) +
      chunk(null, { prompt_tokens: 10, completion_tokens: deltas, total_tokens: deltas + 10 }) +
      'data: [DONE]\n\n',
  };
}

import type { Completion, CompletionRequest } from '../../conversations/prompt/language-model.ports.ts';
import { EmptyReply } from '../../conversations/prompt/language-model.ports.ts';
import { countTokens } from '../../core/tokens.ts';
import { type FailureKind, ProviderError } from './failures.ts';
import type { Ending, ReportedUsage, Step } from './read-chunk.ts';
import { createStorableText } from './storable-text.ts';
import { createThinkingFilter } from './thinking.ts';

/** Assembles a reply from its steps. */
export interface ReplyReader {
  take(step: Exclude<Step, { type: 'error' }>): void;
  /**
   * Ends the reply. `isMarked` is whether the provider marked the end of its stream.
   * @throws ProviderError unless the reply is complete, EmptyReply
   */
  end(isMarked: boolean): Pick<Completion, 'reason'>;
  /** Whether the provider has stated how the reply ended. Only usage numbers may follow. */
  readonly hasEnding: boolean;
  /** Returns the usage. The service counts the tokens that the provider does not report. */
  usage(request: CompletionRequest): Completion['usage'];
}

const maxPieces = 100;

/** Failures by how the provider ended a reply. */
const failedEndings: Readonly<Partial<Record<Ending, FailureKind>>> = {
  filtered: 'content_filter',
  tool_calls: 'tool_call',
  failed: 'fault',
  unknown: 'unknown_ending',
};

/** Creates a reader that passes each non-empty piece of the reply to `onText`, without what the model thinks. */
export function createReplyReader(onText: (content: string) => void): ReplyReader {
  const thinking = createThinkingFilter();
  const storable = createStorableText();
  const pieces: string[] = [];
  const reported: ReportedUsage = {};
  let ending: Ending | undefined;
  let hasReasoning = false;
  let hasToolCall = false;

  const write = (text: string): void => {
    const content = storable(text);
    if (content === '') return;
    pieces.push(content);
    // Joined from time to time: a string that grows by appending takes 50 bytes for each piece until it is flattened.
    if (pieces.length > maxPieces) pieces.splice(0, pieces.length, pieces.join(''));
    onText(content);
  };
  const emptyKind = (): FailureKind => {
    if (!hasReasoning && !thinking.hasThought) return 'empty';
    return ending === 'length' ? 'thoughts_too_long' : 'only_thoughts';
  };

  return {
    take(step) {
      if (step.type === 'text') write(thinking.write(step.text));
      else if (step.type === 'end') ending = step.ending;
      else if (step.type === 'usage') Object.assign(reported, step.usage);
      else if (step.type === 'reasoning') hasReasoning = true;
      else hasToolCall = true;
    },
    get hasEnding() {
      return ending !== undefined;
    },
    end(isMarked) {
      write(thinking.end());
      if (ending === undefined && !isMarked) throw new ProviderError('broken_off');
      const failed = ending === undefined ? undefined : failedEndings[ending];
      if (failed) throw new ProviderError(failed);
      if (pieces.length === 0) throw new EmptyReply(new ProviderError(hasToolCall ? 'tool_call' : emptyKind()));
      return { reason: ending === 'length' ? 'length' : 'stop' };
    },
    usage: ({ turns }) => ({
      inputTokens: reported.inputTokens ?? turns.reduce((sum, turn) => sum + countTokens(turn.content), 0),
      outputTokens: reported.outputTokens ?? countTokens(pieces.join('')),
    }),
  };
}

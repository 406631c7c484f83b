import { APIError } from 'openai/error';
import { createParser } from 'eventsource-parser';
import { ProviderError } from './failures.ts';
import { readChunk, type Step } from './read-chunk.ts';
import { readError } from './read-error.ts';

/** Turns the text of a response into steps, as it arrives. */
export interface WireReader {
  /**
   * Reads the next piece of the response.
   * @throws ProviderError, APIError for an error that the provider reports, and what `onStep` throws
   */
  feed(piece: string): void;
  /** Reads what is left at the end of the response. @throws like `feed` */
  end(): void;
  /** Whether the provider has marked the end of the stream. What follows is ignored. */
  readonly isDone: boolean;
}

type OnStep = (step: Exclude<Step, { type: 'error' }>) => void;

/**
 * Creates a reader for a response to a request for a stream. Whatever its media type, the first character decides what
 * it is: an event stream, or JSON (one completion, or a chunk in each line), as from providers that cannot stream.
 */
export function createWireReader(onStep: OnStep): WireReader {
  let text = '';
  let form: 'unknown' | 'events' | 'json' = 'unknown';
  let isDone = false;

  const take = (value: unknown): void => {
    for (const step of readChunk(value)) {
      if (step.type === 'error') throw new APIError(undefined, readError(step.error), undefined, undefined);
      onStep(step);
    }
  };
  const events = createParser({
    onEvent({ event, data }) {
      if (isDone || data.trim() === '') return;
      if (data.trimStart().startsWith('[DONE]')) return void (isDone = true);
      const value = parse(data);
      if (event === 'error') take(errorOf(value, data));
      else if (value !== undefined) take(value);
      // Events with another name than the usual one, such as a ping, may have data in any format.
      else if (event === undefined || event === 'message') throw new ProviderError('malformed', { detail: 'event' });
    },
  });

  function begin(): void {
    const first = /\S/.exec(text)?.[0];
    if (first === undefined) return;
    if (first === '<') throw new ProviderError('web_page');
    form = first === '{' || first === '[' ? 'json' : 'events';
    if (form === 'json') return;
    events.feed(text.trimStart());
    text = '';
  }

  function endJson(): void {
    const whole = parse(text);
    const values =
      whole === undefined
        ? text
            .split('\n')
            .filter((line) => line.trim() !== '')
            .map(parse)
        : [whole];
    if (values.some((value) => value === undefined)) throw new ProviderError('malformed', { detail: 'JSON' });
    for (const value of values) take(value);
    isDone = true;
  }

  return {
    feed(piece) {
      if (form === 'events') return events.feed(piece);
      text += piece;
      if (form === 'unknown') begin();
    },
    end() {
      // An incomplete event at the end of a broken connection is dropped, unless it is complete except for its blank line.
      if (form === 'unknown') throw new ProviderError('no_content');
      if (form === 'json') endJson();
      else if (!isDone) endEvents();
    },
    get isDone() {
      return isDone;
    },
  };

  function endEvents(): void {
    try {
      events.feed('\n\n');
    } catch (error) {
      if (!(error instanceof ProviderError && error.kind === 'malformed')) throw error;
    }
  }
}

/** Returns an event that is named as an error in the form of one. */
const errorOf = (value: unknown, data: string): object =>
  typeof value === 'object' && value !== null && 'error' in value ? value : { error: value ?? data };

/** Returns undefined for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

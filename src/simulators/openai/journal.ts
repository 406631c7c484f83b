import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request and its outcome. `aborted` means that the caller disconnected before the response was complete. */
export interface RecordedRequest {
  path: string;
  body: Record<string, unknown>;
  outcome: 'running' | 'completed' | 'aborted' | 'failed';
  /** Number of pieces of text written so far. */
  deltasSent: number;
}

/** A valid request: its JSON is parsed and it has a credential. */
export interface Call {
  req: IncomingMessage;
  res: ServerResponse;
  recorded: RecordedRequest;
}

export interface Journal {
  readonly requests: readonly RecordedRequest[];
  record(path: string, body: Record<string, unknown>, res: ServerResponse): RecordedRequest;
  clear(): void;
}

export function createJournal(keepRequests: number): Journal {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    record: (path, body, res) => {
      const recorded: RecordedRequest = { path, body, outcome: 'running', deltasSent: 0 };
      requests.push(recorded);
      if (requests.length > keepRequests) requests.shift();
      res.once('close', () => {
        if (recorded.outcome !== 'running') return;
        if (!res.writableFinished) recorded.outcome = 'aborted';
        else recorded.outcome = res.statusCode < 400 ? 'completed' : 'failed';
      });
      return recorded;
    },
    clear: () => void (requests.length = 0),
  };
}

import { at, type FaultRow } from './fault-row.ts';

/** The model provider, readers, and repeated requests. */
export const replies: readonly FaultRow[] = [
  {
    id: 'F13',
    fault: 'the provider refuses, is unreachable, or is busy',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that refuses', 'every kind of refusal'),
      at('providers/openai-language-model.test.ts', 'retries', 'every kind of retry'),
      at(
        'conversations/send-message.test.ts',
        'POST …/messages > returns the error of a model that fails',
        '5 failures',
      ),
      at('conversations/send-message.test.ts', 'an Idempotency-Key > retries a failed reply', '1 failure'),
    ],
  },
  {
    id: 'F14',
    fault: 'the provider hangs before its first byte',
    scenarios: [
      at('providers/openai-broken-streams.test.ts', 'a provider that is silent', 'every kind of silence'),
      at('faults/more/hanging-provider.fault.ts', 'ends streams whose provider hangs', '100 streams, long 500'),
    ],
  },
  {
    id: 'F15',
    fault: 'the provider hangs or fails during a reply',
    scenarios: [
      at('providers/openai-broken-streams.test.ts', 'a provider that breaks', 'every kind of break'),
      at('conversations/send-message.test.ts', 'POST …/messages/stream > fails with an HTTP error', '2 failures'),
    ],
  },
  {
    id: 'F17',
    fault: 'the prompt is too long, or the rate is limited, inside the stream',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that refuses > because the prompt', '1 refusal'),
      at('providers/openai-broken-streams.test.ts', 'a provider that breaks', 'every kind of break'),
    ],
  },
  {
    id: 'F18',
    fault: 'clients that disconnect during a reply',
    scenarios: [
      at(
        'conversations/send-message.test.ts',
        'POST …/messages/stream > completes the reply of a client that left',
        '1 client',
      ),
      at('conversations/send-message.test.ts', 'POST …/messages/stream > joins a running reply', '1 client'),
      at('faults/more/leaving-clients.fault.ts', 'stores replies whose clients disconnect', '100 clients, long 1,000'),
    ],
  },
  {
    id: 'F19',
    fault: 'clients that read nothing, or one byte a second',
    scenarios: [
      at('faults/slow-readers.fault.ts', 'completes replies whose readers never read', '20 clients'),
      at(
        'faults/more/stalled-readers.fault.ts',
        'uses little memory for clients that read nothing',
        '100 clients, long 500',
      ),
      at('faults/more/stalled-readers.fault.ts', 'drops a client that reads nothing for a minute', '3 clients'),
    ],
  },
  {
    id: 'F20',
    fault: 'thousands of streams at once on two instances',
    scenarios: [
      at('faults/more/streams.fault.ts', 'completes hundreds of streams at once', '400 streams, long 10,000'),
    ],
  },
  {
    id: 'F21',
    fault: 'a reply is fetched again, from the same or another instance',
    scenarios: [at('faults/generations.fault.ts', 'serves a reply on another instance', '1 reply on 2 instances')],
  },
  {
    id: 'F22',
    fault: 'the same request many times at once',
    scenarios: [
      at('rest/idempotency.test.ts', 'creates one object for fifty concurrent requests', '50 requests on 2 instances'),
      at('rest/idempotency.test.ts', 'rejects another body', '1 request'),
      at('faults/more/duplicates.fault.ts', 'creates one object for fifty identical requests', '5 × 2 × 50 requests'),
      at('faults/more/duplicates.fault.ts', 'executes one of two bodies under one key', '5 × 2 × 50 requests'),
      at('rest/idempotency.test.ts', 'releases the key of a crashed request', '1 crash'),
      at(
        'conversations/send-message.test.ts',
        'POST …/messages/stream > stores one message and one reply for a hundred clients',
        '100 clients',
      ),
      at('conversations/send-message.test.ts', 'an Idempotency-Key > names the message', '4 requests'),
      at('knowledge/refusals.test.ts', 'an upload is refused > a repeated Idempotency-Key', '3 uploads'),
    ],
  },
  {
    id: 'F23',
    fault: 'more messages at once than the plan has left',
    scenarios: [
      at('conversations/send-message.test.ts', 'the daily quota', '1 race'),
      at('faults/more/limits.fault.ts', 'accepts exactly the messages left in the day', '4 races, long 40'),
    ],
  },
  {
    id: 'F24',
    fault: 'more agents or documents at once than the plan has left',
    scenarios: [
      at('agents/agents.test.ts', 'a new agent > is refused beyond exactly the limit of the plan', '1 race'),
      at('knowledge/refusals.test.ts', 'an upload is refused > beyond the plan', '1 race'),
      at('faults/more/plan-limits.fault.ts', 'never exceeds the plan at any commit', '4 s, long 60 s'),
    ],
  },
  {
    id: 'F25',
    fault: 'the day ends while messages are sent',
    scenarios: [at('faults/more/limits.fault.ts', 'resets the daily quota at midnight UTC', '2 midnights')],
  },
  {
    id: 'R1',
    fault: 'an instance is frozen past its lease while readers follow its replies',
    scenarios: [
      at('faults/frozen-instance.fault.ts', 'a reader of an instance that was frozen', '1 freeze'),
      at('faults/frozen-instance.fault.ts', 'a message that waits on a frozen instance', '1 freeze'),
      at('faults/frozen-instance.fault.ts', 'a request that arrives during a freeze', '1 freeze'),
    ],
  },
  {
    id: 'R4',
    fault: 'an instance dies with many replies under way',
    scenarios: [at('conversations/generation-ends.test.ts', 'ends 2,000 orphaned replies', '2,000 replies')],
  },
  {
    id: 'R11',
    fault: 'the reply of an instance that died is fetched',
    scenarios: [
      at('faults/frozen-instance.fault.ts', 'after kill -9 the stream of the generation', '1 kill'),
      at('conversations/generation-ends.test.ts', 'the stream of an interrupted generation', '2 generations'),
    ],
  },
  {
    id: 'R12',
    fault: 'a connection dies between the exposure to an experiment and the reply',
    scenarios: [
      at(
        'studio/experiment-variants.test.ts',
        'while an experiment is under way > a connection that dies between the exposure and the generation',
        '1 kill',
      ),
    ],
  },
  {
    id: 'R13',
    fault: 'the aggregation of figures dies in the middle of a batch',
    scenarios: [at('studio/analytics.test.ts', 'an aggregation that dies in the middle of a batch', '1 kill')],
  },
  {
    id: 'F80',
    fault: 'a reply breaks off after text was shown: the provider, its instance',
    scenarios: [
      at('faults/generations.fault.ts', 'keeps what was shown of a reply after kill -9', '1 kill'),
      at('conversations/broken-replies.test.ts', 'a reply that breaks off after text was shown', '9 breaks'),
      at('rooms/turns.test.ts', 'a reply that breaks off after text was shown', '1 break'),
    ],
  },
  {
    id: 'F85',
    fault: 'ordinary clients reconnect with their defaults: eventsource-client, fetch-event-source in a hidden tab',
    scenarios: [
      at('conversations/reconnects.test.ts', 'eventsource-client with its defaults', '4 streams'),
      at('conversations/reconnects.test.ts', 'fetch-event-source in a tab', '1 stream'),
    ],
  },
  {
    id: 'F86',
    fault: 'events of one object are written in parallel, by transactions that wait for each other',
    scenarios: [at('webhooks/event-stream.test.ts', 'the order of the events of one object', '3 orders')],
  },
];

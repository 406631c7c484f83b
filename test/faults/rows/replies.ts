import { at, type FaultRow } from './fault-row.ts';

/** The provider, readers, and what is asked for many times. */
export const replies: readonly FaultRow[] = [
  {
    id: 'F13',
    fault: 'the provider refuses, is not there, or is busy',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that refuses', 'every kind of refusal'),
      at('providers/openai-language-model.test.ts', 'retries', 'every kind of retry'),
      at('conversations/send-message.test.ts', 'a message that is waited for > of which the model fails', '5 failures'),
      at('conversations/send-message.test.ts', 'an Idempotency-Key > that failed is tried again', '1 failure'),
    ],
  },
  {
    id: 'F14',
    fault: 'the provider hangs before its first byte',
    scenarios: [
      at('providers/openai-broken-streams.test.ts', 'a provider that is silent', 'every kind of silence'),
      at('faults/more/hanging-provider.fault.ts', 'streams that wait', '100 streams, long 500'),
    ],
  },
  {
    id: 'F15',
    fault: 'the provider hangs or breaks in the middle',
    scenarios: [
      at('providers/openai-broken-streams.test.ts', 'a provider that breaks', 'every kind of break'),
      at('conversations/send-message.test.ts', 'a message that is streamed > fails as an HTTP error', '2 failures'),
    ],
  },
  {
    id: 'F17',
    fault: 'the prompt is too long, or the rate limited, inside of the stream',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that refuses > because the prompt', '1 refusal'),
      at('providers/openai-broken-streams.test.ts', 'a provider that breaks', 'every kind of break'),
    ],
  },
  {
    id: 'F18',
    fault: 'clients that leave in the middle of a reply',
    scenarios: [
      at('conversations/send-message.test.ts', 'a message that is streamed > goes on without its client', '1 client'),
      at('conversations/send-message.test.ts', 'a message that is streamed > sent again while', '1 client'),
      at('faults/more/leaving-clients.fault.ts', 'clients that leave', '100 clients, long 1,000'),
    ],
  },
  {
    id: 'F19',
    fault: 'clients that read nothing, or a byte a second',
    scenarios: [
      at('faults/slow-readers.test.ts', 'readers that never read', '20 clients'),
      at('faults/more/stalled-readers.fault.ts', 'clients that read nothing', '100 clients, long 500'),
      at('faults/more/stalled-readers.fault.ts', 'a client that takes nothing', '3 clients'),
    ],
  },
  {
    id: 'F20',
    fault: 'thousands of streams at once on two instances',
    scenarios: [at('faults/more/streams.fault.ts', 'streams by the hundred at once', '400 streams, long 10,000')],
  },
  {
    id: 'F21',
    fault: 'the reply is fetched again, here or from another instance',
    scenarios: [at('faults/generations.test.ts', 'another instance serves a reply', '1 reply on 2 instances')],
  },
  {
    id: 'F22',
    fault: 'the same request many times at once',
    scenarios: [
      at('rest/idempotency.test.ts', 'makes one thing of fifty requests at once', '50 requests on 2 instances'),
      at('rest/idempotency.test.ts', 'is refused with another body', '1 request'),
      at('faults/more/duplicates.fault.ts', 'the same request fifty times', '5 × 2 × 50 requests'),
      at('faults/more/duplicates.fault.ts', 'two bodies under one key', '5 × 2 × 50 requests'),
      at('rest/idempotency.test.ts', 'lets go of work that a crash cut short', '1 crash'),
      at('conversations/send-message.test.ts', 'a message that is streamed > sent by a hundred clients', '100 clients'),
      at('conversations/send-message.test.ts', 'an Idempotency-Key > names the message', '4 requests'),
      at('knowledge/refusals.test.ts', 'an upload is refused > a repeated Idempotency-Key', '3 uploads'),
    ],
  },
  {
    id: 'F23',
    fault: 'more messages at once than the plan has left',
    scenarios: [
      at('conversations/send-message.test.ts', 'the messages of a day', '1 race'),
      at('faults/more/limits.fault.ts', 'a hundred messages at once over two instances', '4 races, long 40'),
    ],
  },
  {
    id: 'F24',
    fault: 'more agents or documents at once than the plan has left',
    scenarios: [
      at('agents/agents.test.ts', 'an agent that is made > is one too many for the plan', '1 race'),
      at('knowledge/refusals.test.ts', 'an upload is refused > beyond the plan', '1 race'),
      at('faults/more/plan-limits.fault.ts', 'agents and documents that are made', '4 s, long 60 s'),
    ],
  },
  {
    id: 'F25',
    fault: 'the day ends while messages are sent',
    scenarios: [at('faults/more/limits.fault.ts', 'the day of the quota ends at midnight UTC', '2 midnights')],
  },
];

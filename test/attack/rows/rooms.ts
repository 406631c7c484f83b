import type { AttackRow } from './attack-row.ts';

const room = 'test/rooms/rooms.test.ts';
const turns = 'test/rooms/turns.test.ts';
const limits = 'test/rooms/limits.test.ts';
const prompt = 'test/rooms/prompt.test.ts';

/** Rooms with several people and agents: who may read, who pays, and what ends. */
export const roomRows: readonly AttackRow[] = [
  {
    id: 'A170',
    attack: 'two agents that mention each other forever',
    expected: 'at most `agent_hops` in a chain and `replies_per_message` in all, then silence',
    suite: [
      `${turns} > ends at the limits of hops and of replies to a message`,
      `${turns} > does not start when no hops are allowed`,
    ],
  },
  {
    id: 'A171',
    attack: 'mention bombs: a message that names everyone; a flood of messages and turns',
    expected: 'five names count; 60 messages a minute; 20 turns wait, the next is dropped',
    suite: [
      `${limits} > the first five names of a message count`,
      `${limits} > a person writes 60 messages a minute in all rooms together`,
      `${limits} > 20 turns wait behind the running one, and the next one is dropped`,
    ],
  },
  {
    id: 'A172',
    attack: 'spoofed names: `Ada: ` inside a message, in a reply that speaks for another agent, names that look alike',
    expected: 'speakers stay apart in the prompt; the reply ends there',
    suite: [
      `${room} > keeps speakers apart in a prompt`,
      `${prompt} > two names that look alike get numbers`,
      `${prompt} > a name in a prompt is one line without a tag or a fence`,
    ],
  },
  {
    id: 'A173',
    attack: 'invitation brute force, a link that was used up, revoked or expired, joining by another link after a ban',
    expected: '404, the response for an unknown link',
    suite: [`${room} > is refused alike when it is unknown`, `${prompt} > the token of a link has 256 random bits`],
  },
  {
    id: 'A174',
    attack: 'reading what came before one joined, in lists or through an agent; reading on after removal',
    expected: 'nothing of it; the stream ends',
    suite: [
      `${room} > hides what came before one joined`,
      'test/rooms/events.test.ts > ends for someone who is removed during a reply',
    ],
  },
  {
    id: 'A175',
    attack: 'replies charged to another person',
    expected: 'the author of the message pays; refused to them alone when their day is empty',
    suite: [
      `${room} > is paid by the person who caused it; when their daily messages are used up, only they are refused`,
    ],
  },
  {
    id: 'A176',
    attack: 'a moderator reads or removes a private message that no one reported; a stranger reports it',
    expected: '404',
    suite: ['test/rooms/safety.test.ts > shows a reported message with the five nearest'],
  },
  {
    id: 'A177',
    attack: 'prompt injection by a message, a display name, the name of the room and its scene',
    expected: 'what people write is in turns of its own or fenced; the prompt holds the instructions of no other agent',
    suite: [`${prompt} > the prompt of a turn keeps what people write apart`],
  },
  {
    id: 'A178',
    attack:
      'acting above one’s role in a room: every route as each role, as someone who left, was removed or banned, and as a stranger',
    expected: '403 to those who see the room, 404 to everyone else',
    suite: ['test/rooms/roles.test.ts > each route of a room returns for each role'],
  },
  {
    id: 'A179',
    attack: 'thousands of rooms with one agent, which is then deleted',
    expected: 'the agent leaves them in batches; rooms go on',
    suite: ['test/rooms/agents.test.ts > leaves each of its rooms'],
  },
  {
    id: 'A234',
    attack:
      'free model calls: choices of speakers under `auto` on a used-up account, queries of documents, documents again and again, content checks, speech of long messages',
    expected: 'each is charged or bounded by what its causer pays for, and counted before the call',
    suite: [
      `${limits} > is not made for a payer without messages left`,
      `${limits} > counts before it is made, also when it fails`,
      'test/knowledge/refusals.test.ts > are limited by the bytes of a day',
      'test/knowledge/refusals.test.ts > are limited by the queries of a minute',
      'test/moderation/content-check.test.ts > that a request waits for is made at most 300 times an hour',
      'test/voice/message-speech.test.ts > counts as one request for each 5,000 characters',
      'test/docs/model-calls.test.ts > lists every file that calls a model, and no other',
    ],
  },
  {
    id: 'A220',
    attack: 'giving a room, and its costs, to a person who did not ask for it; over the limit of their plan',
    expected: 'an offer that is accepted; no one pays but by their own act',
    suite: [
      'test/rooms/ownership.test.ts > the offer of a room',
      'test/rooms/ownership.test.ts > goes to someone whose plan allows it, and makes no one pay',
    ],
  },
  {
    id: 'A221',
    attack: 'requests that wait for a room while their sender is banned, demoted or uninvited',
    expected: 'what is checked is read after the wait',
    suite: ['test/rooms/races.test.ts > requests that wait for the same room'],
  },
  {
    id: 'A222',
    attack: 'links and invitations of a person who lost the right to invite',
    expected: 'they end with the right',
    suite: ['test/rooms/ownership.test.ts > an invitation'],
  },
];

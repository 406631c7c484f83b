import { at, type FaultRow } from './fault-row.ts';

/** What a person meets in a browser. */
export const inBrowser: readonly FaultRow[] = [
  {
    id: 'F55',
    fault: 'the service is refused by a proxy, or its answers end in the middle, while an owner uses the console',
    scenarios: [
      at('faults/more/owner-screens.fault.ts', 'an owner screen shows why', '7 screens'),
      at('faults/more/owner-screens.fault.ts', 'a form that the service refuses', '1 refusal'),
    ],
  },
  {
    id: 'F71',
    fault: 'the network is lost, or another tab changes something, while a person writes, edits and reads a reply',
    scenarios: [
      at('web/chat/chat-network.test.ts', 'a conversation on a network that fails', '5 losses, 1 conflict'),
      at('web/chat/chat-network.fault.ts', 'a conversation on a network that fails', '6 losses, 3 conflicts'),
      at('web/chat/other-tabs.fault.ts', 'a conversation that is open', '7 changes in another tab'),
      at('web/chat/other-tabs.fault.ts', 'a conversation that is deleted elsewhere', '1 deletion'),
      at('web/chat/other-tabs.fault.ts', 'a waiting message that is removed', '1 removal'),
    ],
  },
  {
    id: 'F72',
    fault: 'answers to a browser are late, or lost',
    scenarios: [
      at('web/chat/slow-answers.fault.ts', 'in a room', '8 answers'),
      at('web/chat/slow-answers.fault.ts', 'in a conversation', '3 answers'),
      at('web/chat/slow-answers.fault.ts', 'a preview that is stopped', '1 preview'),
      at('web/chat/slow-answers.fault.ts', 'an upload that failed', '1 upload'),
      at('web/chat/slow-answers.fault.ts', 'a renewal of the session', '1 renewal'),
    ],
  },
  {
    id: 'F77',
    fault: 'what a person types meets an answer that is late or refused, another tab, or another account',
    scenarios: [
      at('web/chat/typing.fault.ts', 'what is typed stays', '7 answers, tabs and accounts'),
      at('web/chat/typing.fault.ts', 'a person who signs out', '1 sign-out'),
      at('web/chat/typing.fault.ts', 'preferences chosen', '1 late account'),
      at('web/chat/typing.fault.ts', 'an integration can be connected', '1 late list'),
    ],
  },
  {
    id: 'F73',
    fault: 'the service or a part of the console is missing, or late',
    scenarios: [
      at('web/frame/old-assets.fault.ts', 'an asset of an older release', '6 assets'),
      at('web/frame/outages.fault.ts', 'a slow network', '2 screens'),
      at('web/frame/outages.fault.ts', 'while the service is down', '4 screens'),
      at('web/frame/outages.fault.ts', 'a layer opened before its part is loaded', '2 losses'),
    ],
  },
  {
    id: 'F76',
    fault: 'a connection of a browser is dead without being closed, ends as soon as it is open, or has lost events',
    scenarios: [
      at('web/frame/dead-connections.fault.ts', 'a connection that a network has forgotten', '4 connections'),
      at('web/frame/dead-connections.fault.ts', 'a room whose events are no longer kept', '1 gap, 3 connections'),
    ],
  },
  {
    id: 'F74',
    fault: 'hundreds of messages, dozens of conversations, and seven tabs in one browser',
    scenarios: [
      at('web/chat/long-conversation.test.ts', 'a long conversation', '300 messages'),
      at('web/chat/stays-small.fault.ts', 'a long conversation', '500 messages'),
      at('web/chat/stays-small.fault.ts', 'the console stays small', '500 messages, 20 conversations'),
      at('web/frame/seven-tabs.fault.ts', 'seven tabs', '1 tab closed'),
    ],
  },
  {
    id: 'F75',
    fault: 'a person interrupts a spoken reply',
    scenarios: [at('web/voice/microphone.fault.ts', 'a spoken conversation with the microphone', '1 real microphone')],
  },
];

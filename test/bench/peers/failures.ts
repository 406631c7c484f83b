import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Candidate, StoredMessage } from './candidates.ts';
import { countDeltas, getJson, type Received, receive, send } from './http.ts';
import type { BenchProcess } from '../row.ts';

/** Outcome of one failure: what happened to the messages. */
export interface Outcome {
  failure: string;
  outcome: string;
}

const words = 40;
const everyMs = 50;
const seenBefore = 10;
/** Time for a reply to end after its client or service has gone: five times its duration. */
const settleMs = 10_000;
const parallel = 4;

interface Scene {
  candidate: Candidate;
  providerUrl: string;
  process: BenchProcess;
}

/** Causes the failures one after another. The last one kills the process and starts another. */
export async function breakThings(scene: Scene): Promise<Outcome[]> {
  return [
    { failure: 'connection dropped in mid-reply', outcome: await drop(scene) },
    { failure: 'same message sent again, with its id, after the reply', outcome: await repeat(scene) },
    { failure: `${parallel} messages at once in one conversation`, outcome: await sendAtOnce(scene) },
    { failure: '`kill -9` in mid-reply, then a start', outcome: await kill(scene) },
  ];
}

let questions = 0;

const question = async ({ candidate, process }: Scene, conversationId?: string) => {
  const label = `q${++questions}`;
  const id = conversationId ?? (await candidate.newConversation(process));
  const sent = { conversationId: id, id: randomUUID(), text: `${label} #${words} @${everyMs}` };
  return { label, conversationId: id, request: candidate.request(process, sent) };
};

async function drop(scene: Scene): Promise<string> {
  const { candidate, process } = scene;
  const { label, conversationId, request } = await question(scene);
  await receive(request, seenBefore);
  await sleep(settleMs);
  return describeBroken(label, await candidate.read(process, conversationId));
}

async function kill(scene: Scene): Promise<string> {
  const { candidate, process: victim } = scene;
  const { label, conversationId, request } = await question(scene);
  const { text } = await receive(request, seenBefore, () => process.kill(victim.pid, 'SIGKILL'));
  await gone(victim.pid);
  const next = await candidate.start();
  await sleep(settleMs);
  const stored = await candidate.read(next, conversationId).catch(() => []);
  const partial = (await candidate.readPartial?.(next, conversationId, text)) ?? '';
  // The replay may consist of larger pieces than the original stream.
  return describeBroken(label, stored, partial.split(' word').length - 1);
}

async function repeat(scene: Scene): Promise<string> {
  const { candidate, process, providerUrl } = scene;
  const { label, conversationId, request } = await question(scene);
  await send(request);
  await send(request);
  await sleep(settleMs / 5);
  const { asked, replies } = count(label, await candidate.read(process, conversationId));
  const calls = await callsOf(providerUrl, label);
  const isOnce = asked === 1 && replies === 1 && calls === 1;
  return `${isOnce ? 'right' : 'doubled'}: message ${asked}×, reply ${replies}×, provider called ${calls}×`;
}

async function sendAtOnce(scene: Scene): Promise<string> {
  const { candidate, process } = scene;
  const first = await question(scene);
  await send(first.request);
  const asked = await Promise.all(Array.from({ length: parallel }, () => question(scene, first.conversationId)));
  const received = await Promise.all(asked.map(({ request }) => send(request)));
  await sleep(settleMs / 5);
  const stored = await candidate.read(process, first.conversationId);
  const accepted = asked.filter((_, i) => isAnswered(received[i]));
  const counts = accepted.map(({ label }) => count(label, stored));
  const lost = counts.filter((found) => found.asked === 0 || found.replies === 0).length;
  const doubled = counts.filter((found) => found.asked > 1 || found.replies > 1).length;
  const mixed = accepted.filter(({ label }) => !isFollowedByReply(label, stored)).length - lost;
  const faults = [
    lost > 0 && `${lost} lost`,
    doubled > 0 && `${doubled} doubled`,
    mixed > 0 && `${mixed} not followed by their reply`,
  ].filter(Boolean);
  const verdict = faults.length > 0 ? faults.join(', ') : 'right';
  return `${verdict}: ${accepted.length} accepted, ${parallel - accepted.length} refused`;
}

const isAnswered = (received: Received | undefined): boolean =>
  received !== undefined && received.status < 300 && countDeltas(received.text) > 1;

/** Counts how often a question and its reply are stored. */
function count(label: string, stored: readonly StoredMessage[]): { asked: number; replies: number } {
  return {
    asked: stored.filter(({ role, text }) => role === 'user' && text.startsWith(`${label} `)).length,
    replies: stored.filter(({ role, text }) => role === 'assistant' && hasLabel(text, label)).length,
  };
}

const hasLabel = (text: string, label: string): boolean => text.split(' ').includes(label);

function isFollowedByReply(label: string, stored: readonly StoredMessage[]): boolean {
  const at = stored.findIndex(({ role, text }) => role === 'user' && text.startsWith(`${label} `));
  const next = stored[at + 1];
  return at >= 0 && next?.role === 'assistant' && hasLabel(next.text, label);
}

/** Describes an interrupted reply. `partialWords`: readable words that are not stored as a message. */
function describeBroken(label: string, stored: readonly StoredMessage[], partialWords = 0): string {
  const asked = count(label, stored).asked === 0 ? 'message lost' : 'message kept';
  const reply = stored.find(({ role, text }) => role === 'assistant' && hasLabel(text, label));
  // The label replaces one word of the reply.
  const kept = Math.max((reply?.text.split(' word').length ?? 1) - 1, partialWords);
  if (kept === 0) return `${asked}, reply lost`;
  return kept >= words - 1 ? `${asked}, reply whole` : `${asked}, ${kept} words of the reply`;
}

const callsOf = async (providerUrl: string, label: string): Promise<number> =>
  (await getJson<Record<string, number>>(providerUrl))[label] ?? 0;

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { createAgent, listen, type Person, register, subscribe } from './person.ts';
import { live } from './tours/account.ts';
import { pay } from './tours/billing.ts';
import { branch } from './tours/branches.ts';
import { chat } from './tours/chats.ts';
import { study } from './tours/documents.ts';
import { illustrate } from './tours/images.ts';
import { useKeys } from './tours/keys.ts';
import { embed } from './tours/embeds.ts';
import { exceed } from './tours/limits.ts';
import { present } from './tours/marketplace.ts';
import { befriend, platforms } from './tours/platforms.ts';
import { browse } from './tours/reads.ts';
import { gather } from './tours/rooms.ts';
import { mingle } from './tours/social.ts';
import { follow } from './tours/sockets.ts';
import { improve } from './tours/studio.ts';
import { speak } from './tours/voice.ts';
import { hook } from './tours/webhooks.ts';
import { createVisitor } from './visitor.ts';
import { Abandoned, type World } from './world.ts';

const pauseAfterFindingMs = 500;
const chatters = 8;

/** All virtual users. Resolves when the time is over and each has finished. */
export async function useEverything(world: World): Promise<void> {
  const subscriber = async (): Promise<{ person: Person; agentId: string }> => {
    const person = await register(world);
    await listen(world, person);
    await subscribe(world, person, 'creator');
    return { person, agentId: await createAgent(person) };
  };
  const people = await Promise.all(Array.from({ length: chatters + 14 + platforms.length }, subscriber));
  const next = () => {
    const person = people.shift();
    if (!person) throw new Error('more tours than virtual users');
    return person;
  };
  const tours: [string, () => Promise<void>][] = [
    ...Array.from({ length: chatters }, (_, n): [string, () => Promise<void>] => {
      const { person, agentId } = next();
      return [`chat ${n}`, () => chat(world, person, agentId)];
    }),
    ...platforms.map((kind): [string, () => Promise<void>] => {
      const { person } = next();
      return [kind, () => befriend(world, person, kind)];
    }),
    ...[branch, browse].map((tour): [string, () => Promise<void>] => {
      const { person, agentId } = next();
      return [tour.name, () => tour(world, person, agentId)];
    }),
    ...[study, study, useKeys, speak, hook, illustrate, improve, embed, follow].map(
      (tour): [string, () => Promise<void>] => {
        const { person } = next();
        return [tour.name, () => tour(world, person)];
      },
    ),
    ...[gather].map((tour): [string, () => Promise<void>] => {
      const [{ person }, { person: guest }] = [next(), next()];
      return [tour.name, () => tour(world, person, guest)];
    }),
    ...[live, pay, exceed, mingle, present].map((tour): [string, () => Promise<void>] => {
      const visitor = createVisitor(world);
      return [tour.name, () => tour(world, visitor)];
    }),
  ];
  await Promise.all(tours.map(([name, tour]) => repeat(world, name, tour)));
}

async function repeat(world: World, name: string, tour: () => Promise<void>): Promise<void> {
  while (!world.over.aborted) {
    try {
      await tour();
      world.tally.count(`tour ${name}`);
    } catch (error) {
      if (!(error instanceof Abandoned))
        world.findings.add(`a fault of the tour ${name}`, String((error as Error).stack));
      await delay(pauseAfterFindingMs);
    }
  }
}

import { posix } from 'node:path';

/** Features from left to right: one imports only from those to its left; what must react to the right listens to outbox events. */
export const features = [
  'accounts',
  'api-keys',
  'billing',
  'knowledge',
  'agents',
  'conversations',
  'voice',
  'integrations',
  'webhooks',
] as const;

type Feature = (typeof features)[number];

/** What a room may import besides itself, its packages and Node. Features and providers have a finer rule below. */
const allowed = {
  core: ['migrations'],
  feature: ['core'],
  providers: ['core'],
  standins: ['core'],
  migrations: ['core'],
  schema: ['core', 'feature'],
  rest: ['core', 'feature', 'schema'],
  jobs: ['core', 'feature'],
  client: ['core', 'feature'],
  app: ['core', 'feature', 'providers', 'standins', 'migrations', 'schema', 'rest', 'jobs'],
  main: ['core', 'feature', 'providers', 'migrations', 'schema', 'rest', 'jobs', 'app'],
  test: [
    'core',
    'feature',
    'providers',
    'standins',
    'migrations',
    'schema',
    'rest',
    'jobs',
    'app',
    'main',
    'client',
    'tooling',
  ],
  tooling: ['core', 'schema', 'rest'],
} as const satisfies Record<string, readonly string[]>;

type Room = keyof typeof allowed;

interface Place {
  room: Room;
  feature?: Feature;
}

/**
 * Why the module `from` may not import `specifier`, or null when it may. `from` is relative to the repository's root;
 * `typeOnly` tells an `import type`, which leaves no trace at run time.
 */
export const whyForbidden = (from: string, specifier: string, typeOnly = false): string | null => {
  const source = placeOf(from);
  if (source === null) return null;
  if (!specifier.startsWith('.')) return null;
  const to = posix.join(posix.dirname(from), specifier);
  const target = placeOf(to);
  if (target === null) return standsNowhere(to);
  if (source.feature !== undefined && target.feature !== undefined)
    return betweenFeatures(source.feature, target.feature);
  if (source.room === target.room) return null;
  if (source.room === 'providers' && target.room === 'feature') {
    return typeOnly || to.endsWith('.ports.ts')
      ? null
      : 'A provider sees only core and the ports and types of a feature.';
  }
  if ((allowed[source.room] as readonly Room[]).includes(target.room)) return null;
  if (target.room === 'test') return 'Nothing imports test/.';
  if (target.room === 'standins') return 'Only the composition root (src/app.ts) imports a stand-in.';
  if (target.room === 'providers') return 'A provider is reached through its port, which src/app.ts hands out.';
  return `${source.room} may not import ${target.room}: imports run downwards.`;
};

/** The room of a path relative to the repository's root, or null when it stands in none. */
export const placeOf = (path: string): Place | null => {
  const [top = '', second = '', third] = path.split('/');
  if (second === '' || top === 'lint') return { room: 'tooling' };
  if (path === 'src/app.ts' || path.startsWith('src/app/')) return { room: 'app' };
  if (path === 'src/main.ts') return { room: 'main' };
  if (top === 'rest' && second === 'client') return { room: 'client' };
  if (top === 'schema' || top === 'rest' || top === 'jobs' || top === 'test') return { room: top };
  if (top !== 'src' || third === undefined) return null;
  if (second === 'core' || second === 'providers' || second === 'standins' || second === 'migrations')
    return { room: second };
  const feature = features.find((name) => name === second);
  return feature === undefined ? null : { room: 'feature', feature };
};

const betweenFeatures = (from: Feature, to: Feature): string | null =>
  features.indexOf(to) <= features.indexOf(from)
    ? null
    : `${from} may not import ${to}: a feature imports only those to its left and listens to outbox events of the others.`;

/** What to say of a file outside of every room. */
export const standsNowhere = (path: string): string => `${path} stands in no room (lint/rooms.ts).`;

import { posix } from 'node:path';

/** Features in order: one imports only those before it; what must react to a later one listens to outbox events. */
export const features = [
  'accounts',
  'api-keys',
  'billing',
  'moderation',
  'knowledge',
  'agents',
  'images',
  'studio',
  'conversations',
  'voice',
  'integrations',
  'rooms',
  'embeds',
  'marketplace',
  'social',
  'webhooks',
  'realtime',
] as const;

type Feature = (typeof features)[number];

/** What a layer may import besides itself, its packages and Node. Features and providers have a finer rule below. */
const allowed = {
  // The parser of Markdown, which the console uses as well.
  markdown: [],
  core: ['markdown', 'migrations'],
  feature: ['core', 'markdown'],
  providers: ['core'],
  simulators: ['core'],
  migrations: ['core'],
  catalog: ['core', 'feature'],
  schema: ['core', 'feature', 'catalog'],
  rest: ['core', 'feature', 'catalog', 'schema'],
  jobs: ['core', 'feature'],
  client: ['core', 'feature'],
  http: ['core', 'feature', 'catalog', 'schema', 'rest'],
  app: ['core', 'feature', 'providers', 'simulators', 'migrations', 'catalog', 'schema', 'rest', 'http', 'jobs'],
  main: ['core', 'feature', 'providers', 'migrations', 'schema', 'rest', 'http', 'jobs', 'app'],
  web: ['markdown'],
  test: [
    'core',
    'markdown',
    'feature',
    'providers',
    'simulators',
    'migrations',
    'catalog',
    'schema',
    'rest',
    'http',
    'jobs',
    'app',
    'main',
    'client',
    'web',
    'tooling',
  ],
  tooling: ['core', 'feature', 'catalog', 'schema', 'rest', 'jobs'],
} as const satisfies Record<string, readonly string[]>;

type Layer = keyof typeof allowed;

interface Location {
  layer: Layer;
  feature?: Feature;
}

/**
 * Returns why the module `from` may not import `specifier`, or null when it may. `from` is relative to the repository's
 * root; `typeOnly` marks an `import type`, which is erased at compile time.
 */
export const whyForbidden = (from: string, specifier: string, typeOnly = false): string | null => {
  const source = locate(from);
  if (source === null) return null;
  if (!specifier.startsWith('.')) return null;
  const to = posix.join(posix.dirname(from), specifier);
  const target = locate(to);
  if (target === null) return inNoLayer(to);
  if (source.feature !== undefined && target.feature !== undefined)
    return betweenFeatures(source.feature, target.feature);
  if (source.layer === 'web' && target.layer === 'web') return withinWeb(from, to);
  if (source.layer === target.layer) return null;
  if (source.layer === 'providers' && target.layer === 'feature') {
    return typeOnly || to.endsWith('.ports.ts')
      ? null
      : 'A provider imports only core and the ports and types of a feature.';
  }
  if ((allowed[source.layer] as readonly Layer[]).includes(target.layer)) return null;
  if (target.layer === 'test') return 'Nothing imports test/.';
  if (target.layer === 'web') return 'Nothing imports web/: it is a client like any other.';
  if (target.layer === 'simulators') return 'Only the composition root (src/app/) imports a simulator.';
  if (target.layer === 'providers') return 'A provider is reached through its port, which src/app/ builds.';
  return `${source.layer} may not import ${target.layer}: imports run downwards.`;
};

/** Returns the layer of a path relative to the repository's root, or null when it is in none. */
export const locate = (path: string): Location | null => {
  const [top = '', second = '', third] = path.split('/');
  if (second === '' || top === 'lint' || top === 'deploy') return { layer: 'tooling' };
  if (path === 'src/main.ts') return { layer: 'main' };
  // The list of features is data that every layer above them reads.
  if (path === 'src/app/features.ts') return { layer: 'catalog' };
  if (top === 'rest' && second === 'client') return { layer: 'client' };
  if (top === 'schema' || top === 'rest' || top === 'jobs' || top === 'test' || top === 'web') return { layer: top };
  if (top !== 'src' || third === undefined) return null;
  if (path.startsWith('src/core/markdown/')) return { layer: 'markdown' };
  const layer = sourceLayers.find((name) => name === second);
  if (layer !== undefined) return { layer };
  const feature = features.find((name) => name === second);
  return feature === undefined ? null : { layer: 'feature', feature };
};

const sourceLayers = ['core', 'providers', 'simulators', 'migrations', 'http', 'app'] as const;

const betweenFeatures = (from: Feature, to: Feature): string | null =>
  features.indexOf(to) <= features.indexOf(from)
    ? null
    : `${from} may not import ${to}: a feature imports only those before it and listens to outbox events of the others.`;

/** The folders of web/src below the features, in order: each imports those before it. */
const webBase = ['styles', 'api', 'parts', 'preferences', 'images', 'chat', 'voice'] as const;

/** Folders that combine the screens. Only the entry imports them. */
const webTop = ['frame', ''] as const;

/** Other features of the console that a feature may import, because its screens show parts of them. */
const webNeighbours: Readonly<Record<string, readonly string[]>> = {
  knowledge: ['agents'],
  studio: ['agents'],
  embeds: ['widget'],
  rooms: ['moderation'],
  social: ['moderation'],
  agents: ['moderation', 'social'],
  explore: ['social'],
  marketplace: ['agents', 'moderation', 'social'],
  conversations: ['social'],
};

const withinWeb = (from: string, to: string): string | null => {
  const [source, target] = [webFolder(from), webFolder(to)];
  if (source === target || isIn(webTop, source)) return null;
  if (isIn(webTop, target)) return `${source} may not import the frame: it is what shows the screens.`;
  if (isIn(webBase, source) && isIn(webBase, target) && webBase.indexOf(target) < webBase.indexOf(source)) return null;
  if (isIn(webBase, source)) return `web/src/${source} may not import web/src/${target}: imports run downwards.`;
  if (isIn(webBase, target) || webNeighbours[source]?.includes(target)) return null;
  return `web/src/${source} may not import web/src/${target}: features of the console meet in routes only.`;
};

/** Returns the folder under web/src, or an empty string for files directly in it. */
const webFolder = (path: string): string => /^web\/src\/([^/]+)\//.exec(path)?.[1] ?? '';

const isIn = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/** Returns the complaint about a file that is in no layer. */
export const inNoLayer = (path: string): string => `${path} is in no layer (lint/layers.ts).`;

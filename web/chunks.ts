import type { Plugin } from 'vite';

/** What runs before the other scripts are loaded: the cache of queries without its React part. */
const early = /\/src\/early\.ts$|\/query-core\/|\/react-query\/.*\/(infiniteQ|q)ueryOptions\.js$/;
const isReactPart = (id: string): boolean => /\/react-query\//.test(id);
const visitors = /\/src\/(main\.tsx|accounts\/(welcome|sign-in|sign-up)-page\.tsx)$/;
/** In loading order: the visitor pages, and the frame around every other screen, with the times that most of them show. */
const first: readonly (readonly [name: string, roots: RegExp])[] = [
  ['start', visitors],
  ['frame', /\/src\/([a-z-]+\/loaders\.ts|frame\/frame\.tsx|parts\/values\/time-ago\.tsx)$/],
];
const conversation = /\/src\/conversations\/conversation-page\.tsx$/;
/** Screens with a composer and a thread. */
const chat = /\/src\/(conversations\/(conversation|new-chat\/new-chat)|agents\/agent-editor|rooms\/room)-page\.tsx$/;
/** Parts that open on demand. They load at the first interaction with the page. */
const layer =
  /\/src\/(([a-z-]+\/)+[a-z]+-(layer|drawer)|frame\/palette\/(palette|keys-dialog)|accounts\/session-expired-dialog)\.tsx$/;
const screen = /\/src\/([a-z-]+\/)+[a-z-]+-page\.tsx$/;

type ImportsOf = (id: string) => readonly string[];

/**
 * Puts the modules into a few chunks. Left to itself the bundler makes one for each set of screens that share a module,
 * which is 80 requests a page.
 */
export function chunks(): Plugin {
  let owners = new Map<string, string>();
  const group = {
    debugName: 'parts',
    includeDependenciesRecursively: false,
    name: (id: string) => owners.get(id) ?? null,
  };
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups: [group] } } } } }),
    buildEnd() {
      owners = findOwners([...this.getModuleIds()], (id) => this.getModuleInfo(id)?.importedIds ?? []);
    },
  };
}

function findOwners(ids: readonly string[], importsOf: ImportsOf): Map<string, string> {
  const owners = new Map<string, string>();
  const reached = (roots: RegExp) => ids.filter((id) => roots.test(id)).map((root) => reachedFrom(root, importsOf));
  const ofVisitors = reached(visitors);
  const withoutReact: ImportsOf = (id) => importsOf(id).filter((imported) => !isReactPart(imported));
  for (const root of ids.filter((id) => early.test(id)))
    for (const id of reachedFrom(root, withoutReact)) owners.set(id, countOf(id, ofVisitors) > 0 ? 'api' : 'early');
  for (const [name, roots] of first)
    for (const set of reached(roots)) for (const id of set) if (!owners.has(id)) owners.set(id, name);
  const ofChats = reached(chat);
  const ofConversation = reached(conversation);
  const ofScreens = reached(screen);
  const ofLayers = reached(layer);
  for (const id of ids) {
    if (owners.has(id)) continue;
    const chats = countOf(id, ofChats);
    const screens = countOf(id, ofScreens);
    const isOfConversation = countOf(id, ofConversation) > 0;
    if (countOf(id, ofLayers) > 0) owners.set(id, screens === 0 ? 'layers' : sharedBy(isOfConversation));
    // The screen that most sessions open loads few files: its styles are in the frame, and its scripts in its own chunk.
    else if (isOfConversation) owners.set(id, screens > chats || id.endsWith('.css') ? 'frame' : 'conversation-page');
    else if (chats > 1) owners.set(id, screens > chats ? base : 'chat');
    else if (screens > 1) owners.set(id, featureOf(id));
  }
  return owners;
}

/** Chunks of modules shared by the screens of one feature; those that several features use are in one chunk. */
const featureOf = (id: string): string => {
  const folder = /\/src\/([a-z-]+)\//.exec(id)?.[1] ?? base;
  return ['agents', 'api', 'chat', 'frame', 'images', 'knowledge', 'parts', 'preferences', 'settings'].includes(folder)
    ? base
    : folder;
};
const base = 'shared';
/** A screen never loads `layers` at once. */
const sharedBy = (isOfConversation: boolean): string => (isOfConversation ? 'frame' : base);

const countOf = (id: string, sets: readonly Set<string>[]): number => sets.filter((set) => set.has(id)).length;

function reachedFrom(root: string, importsOf: ImportsOf): Set<string> {
  const reached = new Set([root]);
  // Iterating a Set includes elements that are added meanwhile.
  for (const id of reached) for (const imported of importsOf(id)) reached.add(imported);
  return reached;
}

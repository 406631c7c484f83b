import { registerHooks } from 'node:module';

/** Adds the feature of this folder to the built service: one line in each list, as it is loaded, and its emitted document. */
const edits: Record<string, { import: string; find: RegExp; with: string }> = {
  'src/app/features.js': {
    import: '{ notes } from notes.feature.ts',
    find: /( {4}webhooks,\n)/,
    with: '$1    notes,\n',
  },
  'schema/build.js': {
    import: '{ NoteResolver } from notes.ts',
    find: /( {4}VoiceResolver,\n)/,
    with: '$1    NoteResolver,\n',
  },
  'rest/routes/routes.js': {
    import: '{ noteRoutes } from notes.ts',
    find: /( {4}webhookRoutes,\n)/,
    with: '$1    noteRoutes,\n',
  },
  'rest/documents.js': {
    import: '{ noteDocuments } from notes.ts',
    find: /= emitted;/,
    with: '= { ...emitted, ...noteDocuments };',
  },
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const edit = Object.entries(edits).find(([path]) => url.endsWith(`/dist/${path}`))?.[1];
    if (!edit) return loaded;
    const [name, file] = edit.import.split(' from ');
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    if (!edit.find.test(source)) throw new Error(`${url} has no list to add a line to`);
    const line = `import ${name} from '${new URL(file ?? '', import.meta.url).href}';\n`;
    return { ...loaded, source: line + source.replace(edit.find, edit.with) };
  },
});

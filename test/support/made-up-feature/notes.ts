import { Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { RouteGroup } from '../../../rest/routes/route.ts';
import type { GraphqlContext } from '../../../schema/context.ts';
import type * as decorators from '../../../schema/decorators.ts';
import type * as ids from '../../../src/core/ids.ts';
import type * as tasks from '../../../src/core/tasks/tasks.ts';

const dist = (path: string): Promise<unknown> => import(new URL(`../../../dist/${path}`, import.meta.url).href);
const { Access } = (await dist('schema/decorators.js')) as typeof decorators;
const { newId } = (await dist('src/core/ids.js')) as typeof ids;
const { enqueueTask } = (await dist('src/core/tasks/tasks.js')) as typeof tasks;

class Note {
  declare id: string;
}

/** Decorators are called as functions, because Node runs this file without compiling it. */
export class NoteResolver {
  async writeNote(ctx: GraphqlContext): Promise<{ id: string }> {
    const id = newId('note_');
    const userId = ctx.actor.kind === 'user' ? ctx.actor.userId : '';
    await enqueueTask(ctx, 'note.write', { userId, noteId: id });
    return { id };
  }
}

const method = Object.getOwnPropertyDescriptor(NoteResolver.prototype, 'writeNote') ?? {};
Field(() => ID, { description: 'Note ID.' })(Note.prototype, 'id');
ObjectType({ description: 'A note.' })(Note);
Ctx()(NoteResolver.prototype, 'writeNote', 0);
Access('notes:write')(NoteResolver.prototype, 'writeNote', method);
Mutation(() => Note, { description: 'Writes a note.' })(NoteResolver.prototype, 'writeNote', method);
Resolver()(NoteResolver);

export const noteRoutes: RouteGroup = {
  tag: 'Notes',
  description: 'Notes.',
  routes: [{ method: 'POST', path: '/notes', operation: 'Mutation.writeNote', status: 201, summary: 'Write a note' }],
};

/** As `npm run emit` would write it. */
export const noteDocuments = { 'Mutation.writeNote': 'mutation{writeNote{id}}' };

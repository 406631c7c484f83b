import { callerId } from '../src/accounts/caller.ts';
import { Arg, Ctx, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { followGeneration } from '../src/conversations/generations/follow-generation.ts';
import { getGeneration } from '../src/conversations/generations/generations.ts';
import { parseReplyEventId } from '../src/conversations/generations/resume-reply.ts';
import { exportConversation, type ExportFormat } from '../src/conversations/export-conversation.ts';
import { invalidField } from '../src/core/errors.ts';
import type { GraphqlContext } from './context.ts';
import { Access, OncePerRequest } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { MessageStreamEvent, type MessageStreamPayload, resumeReply, toStream } from './messages.ts';

const ExportFormatEnum = enumType<ExportFormat>('ExportFormat', 'Format of an exported conversation.', {
  markdown: 'Markdown, for reading.',
  json: 'JSON, for further processing.',
});

function checkedFrom(from: number): number {
  if (from < 0) throw invalidField('from', 'too_small', 'from must be at least 0');
  return from;
}

@Resolver()
export class GenerationResolver {
  @Access('conversations:read')
  @Subscription(() => MessageStreamEvent, {
    description: 'Streams a reply, running or complete, from its beginning or from a given position.',
    subscribe: async ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { conversationId, generationId, from } = args as {
        conversationId: string;
        generationId: string;
        from?: number | null;
      };
      const generation = await getGeneration(ctx, conversationId, generationId);
      const received = parseReplyEventId(ctx.lastEventId);
      // A client that reconnects repeats its arguments, so the last event that it received takes precedence.
      if (received?.generationId === generationId) return resumeReply(ctx, generation, received);
      const options = typeof from === 'number' ? { from: checkedFrom(from) } : {};
      return toStream(ctx, generation, followGeneration(ctx, { id: generationId, userId: callerId(ctx) }, options));
    },
  })
  generationStream(
    @Root() event: MessageStreamPayload,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) _conversationId: string,
    @Arg('generationId', () => ID, { description: 'Generation ID (`gen_…`).' }) _generationId: string,
    @Arg('from', () => Int, {
      nullable: true,
      description: 'Number of UTF-16 code units of the reply to skip: the `end` of the last delta received.',
    })
    _from?: number,
  ): typeof MessageStreamEvent {
    return event;
  }

  @Access('conversations:read')
  @OncePerRequest()
  @Query(() => String, { description: 'Returns the active branch of a conversation as one document.' })
  async exportConversation(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @Arg('format', () => ExportFormatEnum, { nullable: true, description: 'Document format. Defaults to MARKDOWN.' })
    format?: ExportFormat,
  ): Promise<string> {
    const { content } = await exportConversation(ctx, conversationId, format ?? 'markdown');
    let document = '';
    for await (const piece of content) {
      ctx.budget.spend(piece);
      document += piece;
    }
    return document;
  }
}

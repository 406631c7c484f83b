import { Arg, Ctx, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { getGeneration } from '../src/conversations/generations.ts';
import { exportConversation, type ExportFormat } from '../src/conversations/export-conversation.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { ExportFormatEnum } from './enums.ts';
import { MessageStreamEvent, type MessageStreamPayload, streamReply } from './messages.ts';

@Resolver()
export class GenerationResolver {
  @Access('conversations:read')
  @Subscription(() => MessageStreamEvent, {
    description: 'Streams a reply, running or done, from its first character or from where a reader left off.',
    subscribe: async ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { conversationId, generationId, from } = args as {
        conversationId: string;
        generationId: string;
        from?: number | null;
      };
      const generation = await getGeneration(ctx, conversationId, generationId);
      return streamReply(ctx, conversationId, generation, from ?? ctx.resumeFrom ?? 0);
    },
  })
  generationStream(
    @Root() event: MessageStreamPayload,
    @Arg('conversationId', () => ID) _conversationId: string,
    @Arg('generationId', () => ID) _generationId: string,
    @Arg('from', () => Int, {
      nullable: true,
      description: 'UTF-16 units of the reply to skip, as in `end` of a delta.',
    })
    _from?: number,
  ): typeof MessageStreamEvent {
    return event;
  }

  @Access('conversations:read')
  @Query(() => String, { description: 'A conversation as one document, for the active branch.' })
  async exportConversation(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('format', () => ExportFormatEnum, { nullable: true, description: 'Default MARKDOWN.' }) format?: ExportFormat,
  ): Promise<string> {
    const { content } = await exportConversation(ctx, conversationId, format ?? 'markdown');
    let document = '';
    for await (const piece of content) document += piece;
    return document;
  }
}

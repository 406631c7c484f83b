import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { GenerationState } from '../src/conversations/replies/generation-state.ts';
import type { ModelId } from '../src/agents/models.ts';
import type { LatestGeneration } from '../src/conversations/generations/latest-generations.ts';
import type { GraphqlContext } from './context.ts';
import { ConversationType } from './conversations.ts';
import { AbsentWhenNull, GraphqlOnly } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { ModelIdEnum } from './models.ts';
import { CitationType, MessageType, TokenUsageType } from './messages.ts';

const GenerationStateEnum = enumType<GenerationState>('GenerationState', 'State of a reply attempt.', {
  running: 'The reply is being written.',
  complete: 'The reply is stored.',
  stopped: 'The user stopped the reply; the text written so far is stored.',
  failed: 'The attempt failed; sending the same message again retries it.',
  interrupted: 'The service instance stopped; sending the same message again retries it.',
});

@ObjectType({ description: 'Why a reply failed.' })
class GenerationError {
  @Field(() => String, { description: 'Error code in lower case.' }) code!: string;
  @Field(() => String, { description: 'Explanation for people.' }) message!: string;
}

@ObjectType({ description: 'An attempt to generate a reply.' })
class Generation {
  @Field(() => ID, { description: 'Generation ID, for `generationStream`.' }) id!: string;
  @Field(() => GenerationStateEnum, { description: 'State of the attempt.' }) state!: GenerationState;
  @Field(() => ID, { description: 'ID of the message to which it replies.' }) userMessageId!: string;
  @Field(() => Date, { description: 'Start time.' }) startedAt!: Date;
  @Field(() => GenerationError, { nullable: true, description: 'Reason of a failure; null otherwise.' })
  error!: GenerationError | null;
}

@ObjectType({ description: 'How a stored reply was generated, or why a message has no reply.' })
class MessageGeneration {
  @Field(() => Boolean, { description: 'Whether the user stopped it before its end.' }) stopped!: boolean;
  @Field(() => ModelIdEnum, {
    nullable: true,
    description: 'Language model that wrote it; null for replies of early releases.',
  })
  model!: ModelId | null;
  @Field(() => TokenUsageType, {
    nullable: true,
    description: 'Tokens used; null if the provider did not report them.',
  })
  usage!: TokenUsageType | null;
  @Field(() => Int, { nullable: true, description: 'Time from the message to the end of the reply, in milliseconds.' })
  durationMs!: number | null;
  @Field(() => GenerationError, {
    nullable: true,
    description: 'Why the latest attempt to reply to a message failed; null for replies.',
  })
  error!: GenerationError | null;
}

const toError = ({ errorCode, errorMessage }: Failure): GenerationError | null =>
  errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' };

type Failure = Pick<LatestGeneration, 'errorCode' | 'errorMessage'>;

@Resolver(() => ConversationType)
export class ConversationGenerationResolver {
  @GraphqlOnly()
  @FieldResolver(() => Generation, {
    nullable: true,
    description: 'The latest reply attempt. After a reload it shows whether a reply is being written.',
  })
  async generation(@Root() conversation: ConversationType, @Ctx() ctx: GraphqlContext): Promise<Generation | null> {
    const latest = await ctx.loaders.latestGeneration.load(conversation.id);
    return latest && { ...latest, error: toError(latest) };
  }
}

@Resolver(() => MessageType)
export class MessageGenerationResolver {
  @GraphqlOnly()
  @FieldResolver(() => MessageGeneration, {
    nullable: true,
    description:
      'How the reply was generated. Of a message of a person: why it has no reply; null if it has one. Null for greetings.',
  })
  async generation(@Root() message: MessageType, @Ctx() ctx: GraphqlContext): Promise<MessageGeneration | null> {
    const found = await ctx.loaders.messageGeneration.load(message.id);
    if (!found) return null;
    const { state, model, inputTokens, outputTokens, durationMs } = found;
    const usage = inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens };
    return { stopped: state === 'stopped', model, usage, durationMs, error: toError(found) };
  }
}

@Resolver(() => CitationType)
export class CitationDetailsResolver {
  @GraphqlOnly()
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Beginning of the chunk’s text, at most 1,200 characters; null when the document was deleted.',
  })
  async excerpt(@Root() citation: CitationType, @Ctx() ctx: GraphqlContext): Promise<string | null> {
    return (await ctx.loaders.chunkExcerpt.load(citation.chunkId))?.text ?? null;
  }

  @AbsentWhenNull()
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Headings, pages, rows or path of the passage; empty if the document has none, absent in older replies when the document was deleted.',
  })
  async place(@Root() citation: CitationType, @Ctx() ctx: GraphqlContext): Promise<string | null> {
    return citation.place ?? (await ctx.loaders.chunkExcerpt.load(citation.chunkId))?.place ?? null;
  }

  @FieldResolver(() => [Int], {
    description:
      'Positions in the reply that refer to the chunk, in UTF-16 code units of `content`, at most 20: after the text that the model marked or, if it marked none, after a sentence that quotes the passage. Empty in older replies.',
  })
  marks(@Root() citation: CitationType): number[] {
    return citation.marks ?? [];
  }
}

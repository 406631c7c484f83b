import {
  Arg,
  createUnionType,
  Field,
  ID,
  InputType,
  Int,
  ObjectType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { MessageRole } from '../src/conversations/messages/message.entity.ts';
import { type PreviewEvent, previewReply } from '../src/conversations/preview/preview-reply.ts';
import { CreateAgentInput } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { CitationType, MessageRoleEnum, TokenUsageType } from './messages.ts';

@InputType({ description: 'A message of a conversation preview, which is not stored.' })
class PreviewMessageInput {
  @Field(() => MessageRoleEnum, { description: 'Author of the message.' }) role!: MessageRole;
  @Field(() => String, { description: '1 to 32,000 characters after trimming.' }) content!: string;
}

@ObjectType({ description: 'A piece of a preview. The concatenated pieces are the reply.' })
class PreviewDelta {
  @Field(() => String, { description: 'Text to append.' }) content!: string;
  @Field(() => Int, { description: 'Length of the reply up to and including this piece, in UTF-16 code units.' })
  end!: number;
}

@ObjectType({ description: 'The preview is complete. It is not stored.' })
class PreviewDone {
  @Field(() => Boolean, { description: 'Whether the reply reached a length limit.' }) truncated!: boolean;
  @Field(() => TokenUsageType, { nullable: true, description: 'Tokens used, if the provider reports them.' })
  usage!: TokenUsageType | null;
  @Field(() => [CitationType], { description: 'Passages of documents that the reply used.' })
  citations!: CitationType[];
}

@ObjectType({ description: 'The preview failed. No further event follows.' })
class PreviewError {
  @Field(() => String, { description: 'Error code in lower case.' }) code!: string;
  @Field(() => String, { description: 'Explanation for the user.' }) message!: string;
  @Field(() => Int, { nullable: true, description: 'Seconds to wait before another attempt; null if not known.' })
  retryAfterSeconds!: number | null;
}

const PreviewStreamEvent = createUnionType({
  name: 'PreviewStreamEvent',
  description: 'An event of a preview: pieces, then completion or an error.',
  types: () => [PreviewDelta, PreviewDone, PreviewError] as const,
});

const toPreviewEvent = ({ type, ...event }: PreviewEvent): typeof PreviewStreamEvent => {
  if (type === 'delta') return Object.assign(new PreviewDelta(), event);
  return type === 'done' ? Object.assign(new PreviewDone(), event) : Object.assign(new PreviewError(), event);
};

@Resolver()
export class PreviewResolver {
  @Access('conversations:write')
  @Subscription(() => PreviewStreamEvent, {
    description:
      'Streams the reply of an unsaved agent. Nothing is stored. It counts as a message. Closing the stream stops the reply.',
    subscribe: ({ args, context }) => {
      const ctx = context as GraphqlContext;
      return previewReply(ctx, args, ctx.leftSignal());
    },
  })
  previewStream(
    @Root() event: PreviewEvent,
    @Arg('agent', () => CreateAgentInput, { description: 'The unsaved agent.' }) _agent: CreateAgentInput,
    @Arg('messages', () => [PreviewMessageInput], {
      description: 'The conversation so far, oldest first, at most 200 messages. The last one must be from the user.',
    })
    _messages: PreviewMessageInput[],
    @Arg('agentId', () => ID, {
      nullable: true,
      description: 'One of the caller’s agents, whose documents the reply uses.',
    })
    _agentId?: string | null,
  ): typeof PreviewStreamEvent {
    return toPreviewEvent(event);
  }
}

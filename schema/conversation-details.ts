import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { MessageRole } from '../src/conversations/messages/message.entity.ts';
import type { LastMessage } from '../src/conversations/messages/messages.ts';
import type { GraphqlContext } from './context.ts';
import { ConversationType } from './conversations.ts';
import { GraphqlOnly } from './decorators.ts';
import { MessageRoleEnum } from './messages.ts';

@ObjectType('LastMessage', { description: 'Summary of the newest message of a conversation.' })
class LastMessageType {
  @Field(() => MessageRoleEnum, { description: 'Author of the message.' }) role!: MessageRole;
  @Field(() => String, { description: 'Beginning of its text, at most 200 characters.' }) excerpt!: string;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
}

@Resolver(() => ConversationType)
export class ConversationDetailResolver {
  @GraphqlOnly()
  @FieldResolver(() => LastMessageType, {
    nullable: true,
    description: 'The newest message of the active branch; null if there is none.',
  })
  lastMessage(@Root() conversation: ConversationType, @Ctx() ctx: GraphqlContext): Promise<LastMessage | null> {
    return ctx.loaders.lastMessage.load(conversation.id);
  }
}

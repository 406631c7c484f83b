import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { maxMessageCharacters } from '../src/conversations/conversation.input.ts';
import type { Config } from '../src/core/config/config.ts';
import { maxDocumentBytes } from '../src/knowledge/document-content.ts';
import { maxAudioBytes } from '../src/voice/voice.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { enumType } from './enum-type.ts';

@ObjectType({ description: 'Largest inputs that the service accepts.' })
class ServiceLimits {
  @Field(() => Int, { description: 'Unicode characters of a message.' }) messageCharacters!: number;
  @Field(() => Int, { description: 'Bytes of an uploaded document.' }) documentBytes!: number;
  @Field(() => Int, { description: 'Bytes of an uploaded recording.' }) audioBytes!: number;
}

type EmbeddingSource = 'provider' | 'local' | 'simulator';

const EmbeddingSourceEnum = enumType<EmbeddingSource>('EmbeddingSource', 'What compares the meaning of texts.', {
  provider: 'A model of the configured provider.',
  local: 'A small English model inside the service.',
  simulator: 'A simulator that compares words and parts of words, not meaning.',
});

const embeddingSource = ({ knowledge, openai }: Config): EmbeddingSource =>
  knowledge.embeddings === 'local' ? 'local' : openai.apiKey ? 'provider' : 'simulator';

@ObjectType({ description: 'What a client needs to know of this installation before anyone signs in.' })
class Service {
  @Field(() => String, { description: '`embedded` or `production`.' }) profile!: string;
  @Field(() => String, { nullable: true, description: 'Where mails can be read while no mail server is configured.' })
  mailOutboxUrl!: string | null;
  @Field(() => Boolean, { description: 'Whether the chat platforms are simulated.' }) simulatedPlatforms!: boolean;
  @Field(() => EmbeddingSourceEnum, { description: 'What compares the meaning of questions and documents.' })
  embeddings!: EmbeddingSource;
  @Field(() => Date, { description: 'The time that the service uses for plans, limits and expiry.' }) now!: Date;
  @Field(() => ServiceLimits, { description: 'Largest inputs.' }) limits!: ServiceLimits;
}

@Resolver()
export class ServiceResolver {
  @Access('public')
  @Query(() => Service, { description: 'Profile, abilities and limits of this installation.' })
  service(@Ctx() ctx: GraphqlContext): Service {
    const { profile, publicUrl, mail, platforms } = ctx.config;
    return {
      profile,
      mailOutboxUrl: profile === 'embedded' && mail.smtpUrl === null ? `${publicUrl}/dev/mail` : null,
      simulatedPlatforms: platforms.simulated,
      embeddings: embeddingSource(ctx.config),
      now: ctx.clock.now(),
      limits: {
        messageCharacters: maxMessageCharacters,
        documentBytes: maxDocumentBytes,
        audioBytes: maxAudioBytes,
      },
    };
  }
}

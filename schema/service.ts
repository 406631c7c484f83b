import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { maxMessageCharacters } from '../src/conversations/conversation.input.ts';
import type { Config } from '../src/core/config/config.ts';
import { maxDocumentBytes } from '../src/knowledge/document-content.ts';
import { maxAudioBytes } from '../src/voice/voice.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { enumType } from './enum-type.ts';

@ObjectType({ description: 'Size limits of the inputs that the service accepts.' })
class ServiceLimits {
  @Field(() => Int, { description: 'Maximum length of a message, in Unicode characters.' }) messageCharacters!: number;
  @Field(() => Int, { description: 'Maximum size of an uploaded document, in bytes.' }) documentBytes!: number;
  @Field(() => Int, { description: 'Maximum size of an uploaded recording, in bytes.' }) audioBytes!: number;
}

type EmbeddingSource = 'provider' | 'local' | 'simulator';

const EmbeddingSourceEnum = enumType<EmbeddingSource>('EmbeddingSource', 'Source of embeddings.', {
  provider: 'A model of the configured provider.',
  local: 'A small English model built into the service.',
  simulator: 'A simulator that compares words and parts of words, not meaning.',
});

function embeddingSource({ knowledge, openai }: Config): EmbeddingSource {
  if (knowledge.embeddings === 'local') return 'local';
  return openai.apiKey ? 'provider' : 'simulator';
}

@ObjectType({ description: 'Information about this installation that clients need before login.' })
class Service {
  @Field(() => String, { description: '`embedded` or `production`.' }) profile!: string;
  @Field(() => String, {
    nullable: true,
    description: 'URL where mails can be read while no mail server is configured.',
  })
  mailOutboxUrl!: string | null;
  @Field(() => Boolean, { description: 'Whether the chat platforms are simulated.' }) simulatedPlatforms!: boolean;
  @Field(() => EmbeddingSourceEnum, { description: 'Source of the embeddings that compare questions and documents.' })
  embeddings!: EmbeddingSource;
  @Field(() => Date, { description: 'Business time, which the service uses for plans, limits and expiry.' }) now!: Date;
  @Field(() => ServiceLimits, { description: 'Size limits of inputs.' }) limits!: ServiceLimits;
}

@Resolver()
export class ServiceResolver {
  @Access('public')
  @Query(() => Service, { description: 'Returns the profile, capabilities and limits of this installation.' })
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

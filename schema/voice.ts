import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { AppError } from '../src/core/errors.ts';
import type { VoiceId } from '../src/agents/voices.ts';
import { speakMessage } from '../src/voice/message-speech.ts';
import { synthesizeSpeech } from '../src/voice/speech.ts';
import { transcribeAudio } from '../src/voice/transcription.ts';
import { speakMessageInput, synthesizeSpeechInput } from '../src/voice/voice.input.ts';
import { Base64 } from './base64.ts';
import type { GraphqlContext } from './context.ts';
import { Access, OncePerRequest, RateLimit, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

export const VoiceIdEnum = enumType<VoiceId>('VoiceId', 'Voice for speech synthesis.', {
  alloy: 'Neutral.',
  echo: 'Warm.',
  fable: 'Expressive.',
  nova: 'Bright.',
  onyx: 'Deep.',
  shimmer: 'Soft.',
});

@ObjectType('Voice', { description: 'A voice for speech synthesis.' })
class VoiceType {
  @Field(() => VoiceIdEnum, { description: 'Voice ID.' }) id!: VoiceId;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { description: 'Description of the voice.' }) description!: string;
  @Field(() => Boolean, { description: 'Whether this voice is used by default.' }) isDefault!: boolean;
}

@ObjectType({ description: 'The available voices.' })
class VoiceList {
  @Field(() => [VoiceType], { description: 'Voices.' }) data!: VoiceType[];
}

/** Maximum size of audio in a GraphQL response: about 14 minutes of speech, or 9.3 MiB in base64. */
const maxInlineBytes = 7 * 1_048_576;

@ObjectType({ description: 'Complete speech audio. REST streams the same audio while it is generated.' })
class Speech {
  @Field(() => String, { description: 'Always `audio/mpeg`.' }) mediaType!: string;
  /** Audio as it is generated, which REST streams. */
  sound!: AsyncIterable<Uint8Array>;
}

@ObjectType('Transcript', { description: 'The text of a recording.' })
class TranscriptType {
  @Field(() => String, { description: 'Transcribed text.' }) text!: string;
  @Field(() => Float, { description: 'Confidence, 0 to 1; 0 for silence and if the provider reports none.' })
  confidence!: number;
  @Field(() => String, { description: 'ISO 639-1 language code, or `und` if the language is unknown.' })
  language!: string;
}

@InputType({ description: 'The text to speak.' })
@Rules(synthesizeSpeechInput)
class SynthesizeSpeechInput {
  @Field(() => String, { description: '1 to 5,000 characters.' }) text!: string;
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice to use. Defaults to `alloy`.' })
  voiceId?: VoiceId | null;
}

@InputType({ description: 'The voice for a message.' })
@Rules(speakMessageInput)
class SpeakMessageInput {
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice to use. Defaults to the agent’s voice.' })
  voiceId?: VoiceId | null;
}

@InputType({ description: 'The recording to transcribe.' })
class TranscribeAudioInput {
  @Field(() => Base64, { description: 'Recording as MP3, WAV, Ogg or WebM, at most 25 MB.' })
  audio!: AsyncIterable<Uint8Array>;
}

@Resolver(() => Speech)
export class VoiceResolver {
  @Access('voice:use')
  @Query(() => VoiceList, { description: 'Lists the voices for speech synthesis.' })
  voices(@Ctx() ctx: GraphqlContext): VoiceList {
    const voices = Object.values(ctx.config.voices);
    return { data: voices.map(({ id, name, description, isDefault }) => ({ id, name, description, isDefault })) };
  }

  @Access('voice:use')
  @RateLimit('tts')
  @OncePerRequest()
  @Mutation(() => Speech, { description: 'Converts text to speech.' })
  async synthesizeSpeech(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => SynthesizeSpeechInput) input: SynthesizeSpeechInput,
  ): Promise<Speech> {
    return toSpeech(await synthesizeSpeech(ctx, input, ctx.leftSignal()));
  }

  @Access('voice:use')
  @RateLimit('tts')
  @OncePerRequest()
  @Mutation(() => Speech, { description: 'Converts a message to speech.' })
  async speakMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @Arg('messageId', () => ID, { description: 'Message ID.' }) messageId: string,
    @Arg('input', () => SpeakMessageInput, { nullable: true }) input?: SpeakMessageInput | null,
  ): Promise<Speech> {
    return toSpeech(await speakMessage(ctx, conversationId, messageId, input, ctx.leftSignal()));
  }

  @Access('voice:use')
  @RateLimit('stt')
  @OncePerRequest()
  @Mutation(() => TranscriptType, { description: 'Converts a recording to text.' })
  async transcribeAudio(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => TranscribeAudioInput) { audio }: TranscribeAudioInput,
  ): Promise<TranscriptType> {
    return transcribeAudio(ctx, audio, ctx.leftSignal());
  }

  @FieldResolver(() => Base64, { description: 'MP3 audio.' })
  audio(@Root() { sound }: Speech): Promise<Buffer> {
    return collect(sound);
  }
}

const toSpeech = (sound: AsyncIterable<Uint8Array>): Speech => ({ mediaType: 'audio/mpeg', sound });

async function collect(sound: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of sound) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxInlineBytes) {
      throw new AppError('payload_too_large', {
        message: 'The speech is too long for a GraphQL response. Use REST, which streams it.',
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

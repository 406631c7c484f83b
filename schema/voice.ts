import { Arg, Ctx, Field, Float, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { AppError } from '../src/core/errors.ts';
import type { VoiceId } from '../src/core/voices.ts';
import { speakMessage } from '../src/voice/message-speech.ts';
import { synthesizeSpeech } from '../src/voice/speech.ts';
import { transcribeAudio } from '../src/voice/transcription.ts';
import { speakMessageInput, synthesizeSpeechInput } from '../src/voice/voice.input.ts';
import { Base64 } from './base64.ts';
import type { GraphqlContext } from './context.ts';
import { Access, Rules } from './decorators.ts';
import { VoiceIdEnum } from './enums.ts';

@ObjectType('Voice', { description: 'A voice that speaks.' })
class VoiceType {
  @Field(() => VoiceIdEnum) id!: VoiceId;
  @Field(() => String) name!: string;
  @Field(() => String) description!: string;
  @Field(() => Boolean, { description: 'Whether text without a voice gets this one.' }) isDefault!: boolean;
}

@ObjectType({ description: 'The voices of the service.' })
class VoiceList {
  @Field(() => [VoiceType]) data!: VoiceType[];
}

@ObjectType({ description: 'Spoken text, whole. REST sends the same as it is made.' })
class Speech {
  @Field(() => Base64) audio!: Buffer;
  @Field(() => String, { description: 'Always `audio/mpeg`.' }) mediaType!: string;
}

@ObjectType('Transcript', { description: 'What was said in a recording.' })
class TranscriptType {
  @Field(() => String) text!: string;
  @Field(() => Float, { description: '0 to 1; 0 for silence, and where the provider does not say how sure it is.' })
  confidence!: number;
  @Field(() => String, { description: 'ISO 639-1, or `und` where nothing tells it.' }) language!: string;
}

@InputType()
@Rules(synthesizeSpeechInput)
class SynthesizeSpeechInput {
  @Field(() => String, { description: '1 to 5,000 characters.' }) text!: string;
  @Field(() => VoiceIdEnum, { nullable: true, description: '`alloy` when omitted.' }) voiceId?: VoiceId | null;
}

@InputType()
@Rules(speakMessageInput)
class SpeakMessageInput {
  @Field(() => VoiceIdEnum, { nullable: true, description: 'The agent’s when omitted.' }) voiceId?: VoiceId | null;
}

@InputType()
class TranscribeAudioInput {
  @Field(() => Base64, { description: 'A recording: mp3, wav, ogg or webm, at most 25 MB.' }) audio!: Buffer;
}

@Resolver()
export class VoiceResolver {
  @Access('voice:use')
  @Query(() => VoiceList, { description: 'The voices that an agent or a text can be spoken with.' })
  voices(@Ctx() ctx: GraphqlContext): VoiceList {
    const voices = Object.values(ctx.config.voice.voices);
    return { data: voices.map(({ id, name, description, isDefault }) => ({ id, name, description, isDefault })) };
  }

  @Access('voice:use')
  @Mutation(() => Speech, { description: 'Speaks a text.' })
  async synthesizeSpeech(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => SynthesizeSpeechInput) input: SynthesizeSpeechInput,
  ): Promise<Speech> {
    await ctx.countAgainst('tts');
    return toSpeech(await synthesizeSpeech(ctx, input, ctx.leftSignal()));
  }

  @Access('voice:use')
  @Mutation(() => Speech, { description: 'Speaks a message of one of the caller’s conversations.' })
  async speakMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID) conversationId: string,
    @Arg('messageId', () => ID) messageId: string,
    @Arg('input', () => SpeakMessageInput, { nullable: true }) input?: SpeakMessageInput | null,
  ): Promise<Speech> {
    await ctx.countAgainst('tts');
    return toSpeech(await speakMessage(ctx, conversationId, messageId, input, ctx.leftSignal()));
  }

  @Access('voice:use')
  @Mutation(() => TranscriptType, { description: 'Writes down what was said in a recording.' })
  async transcribeAudio(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => TranscribeAudioInput) { audio }: TranscribeAudioInput,
  ): Promise<TranscriptType> {
    await ctx.countAgainst('stt');
    return transcribeAudio(ctx, once(audio), ctx.leftSignal());
  }
}

/** Some 20 minutes of speech. */
const maxInlineBytes = 10 * 1_048_576;

async function toSpeech(audio: AsyncIterable<Uint8Array>): Promise<Speech> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of audio) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxInlineBytes) {
      throw new AppError('payload_too_large', { message: 'The speech is too long for GraphQL. REST streams it.' });
    }
    chunks.push(chunk);
  }
  return { audio: Buffer.concat(chunks), mediaType: 'audio/mpeg' };
}

async function* once(audio: Buffer): AsyncGenerator<Uint8Array> {
  if (audio.length > 0) yield audio;
}

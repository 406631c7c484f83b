import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { applyImage } from '../src/images/apply-image.ts';
import type { ImageKind } from '../src/images/encoding/variants.ts';
import { generateImages } from '../src/images/generate-images.ts';
import type { Image, ImageSource } from '../src/images/image.entity.ts';
import { describeImage } from '../src/images/image.events.ts';
import {
  applyImageInput,
  generateImagesInput,
  type ImageStatus,
  type ImageStyle,
  uploadImageInput,
} from '../src/images/image.input.ts';
import { getImage } from '../src/images/image.ts';
import { deleteImage, listImages } from '../src/images/images.ts';
import { addImage, type ReceivedImage, uploadImage } from '../src/images/upload-image.ts';
import type { UploadedFile } from '../src/knowledge/upload-document.ts';
import type { GraphqlContext } from './context.ts';
import { Access, OncePerRequest, RateLimit, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { enumType } from './enum-type.ts';
import { UploadScalar } from './knowledge.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

const ImageKindEnum = enumType<ImageKind>('ImageKind', 'What an image is for.', {
  avatar: 'A square picture of an agent or a profile.',
  banner: 'A picture three times as wide as high.',
});

const ImageSourceEnum = enumType<ImageSource>('ImageSource', 'Where an image comes from.', {
  generated: 'A model made it.',
  uploaded: 'The user uploaded it.',
});

const ImageStatusEnum = enumType<ImageStatus>('ImageStatus', 'Progress of an image.', {
  processing: 'The image is waiting or being made.',
  ready: 'The image can be shown.',
  failed: 'The image was not made; `error` gives the reason. It does not count against the day.',
});

const ImageStyleEnum = enumType<ImageStyle>('ImageStyle', 'Style in which an image is made.', {
  photo: 'Like a photograph.',
  illustration: 'A clean illustration.',
  anime: 'Like anime.',
  pixel: 'Pixel art.',
  watercolor: 'A watercolour.',
  minimal: 'One simple motif.',
});

@ObjectType({
  description: 'Public addresses of an image, one for each size. An address is all that is needed to see the image.',
})
class ImageUrls {
  @Field(() => String, { nullable: true, description: '64×64 pixels; null for a banner.' }) small!: string | null;
  @Field(() => String, { nullable: true, description: '256×256 pixels, a banner 768×256.' }) medium!: string | null;
  @Field(() => String, { nullable: true, description: '1024×1024 pixels, a banner 1536×512.' }) large!: string | null;
}

@ObjectType({ description: 'Why an image was not made.' })
class ImageError {
  @Field(() => String, { description: '`content_refused`, `upstream_error` or `upstream_timeout`.' }) code!: string;
  @Field(() => String, { description: 'Explanation to show to the user.' }) message!: string;
}

@ObjectType('Image', { description: 'A picture for an agent or a profile, made by a model or uploaded.' })
class ImageType {
  @Field(() => ID, { description: 'Image ID (`img_…`).' }) id!: string;
  @Field(() => ImageKindEnum, { description: 'What it is for.' }) kind!: ImageKind;
  @Field(() => ImageSourceEnum, { description: 'Where it comes from.' }) source!: ImageSource;
  @Field(() => ImageStatusEnum, { description: 'Progress.' }) status!: ImageStatus;
  @Field(() => String, {
    nullable: true,
    description: 'What it was described by; null for uploads and when it was made from the agent.',
  })
  prompt!: string | null;
  @Field(() => ImageStyleEnum, { nullable: true, description: 'Style that was requested.' }) style!: ImageStyle | null;
  @Field(() => ID, { nullable: true, description: 'ID of the agent that it was made for.' }) agentId!: string | null;
  @Field(() => ImageUrls, { nullable: true, description: 'Public addresses; null until it is ready.' })
  urls!: ImageUrls | null;
  @Field(() => String, { nullable: true, description: 'A tiny preview as a data URI; null until it is ready.' })
  placeholder!: string | null;
  @Field(() => Boolean, { description: 'Whether a model made it.' }) aiGenerated!: boolean;
  @Field(() => ImageError, { nullable: true, description: 'Why it was not made; null unless the status is `failed`.' })
  error!: ImageError | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, {
    nullable: true,
    description: 'When it is removed if it is used nowhere; null while it is being made and once it was used.',
  })
  expiresAt!: Date | null;
}

@ObjectType({ description: 'The accepted images.' })
class GeneratedImages {
  @Field(() => [ImageType], { description: 'One image for each draft.' }) data!: ImageType[];
}

@ObjectType({ description: 'A page of images, newest first.' })
class ImageList extends pageOf('images', ImageType) {}

@ObjectType({ description: 'What a model made, before it was encoded for display.' })
class ImageOriginal {
  @Field(() => ID, { description: 'Image ID.' }) id!: string;
  @Field(() => String, { description: 'Download URL. It needs the same credential as this request.' }) url!: string;
}

@InputType({ description: 'The images to make.' })
@Rules(generateImagesInput)
class GenerateImagesInput {
  @Field(() => ImageKindEnum, { description: 'What they are for.' }) kind!: ImageKind;
  @Field(() => String, {
    nullable: true,
    description:
      'What they show, at most 1,000 characters. Without it they are made from the name, description and category of the agent.',
  })
  prompt?: string | null;
  @Field(() => ImageStyleEnum, { nullable: true, description: 'Style. Defaults to an illustration.' })
  style?: ImageStyle | null;
  @Field(() => ID, { nullable: true, description: 'ID of one of the caller’s agents. Required without a prompt.' })
  agentId?: string | null;
  @Field(() => Int, { nullable: true, description: 'Number of drafts, 1 to 4. Defaults to 1.' }) count?: number | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Shows the image on the agent, or without one on the profile, once it is ready, unless another was chosen meanwhile.',
  })
  apply?: boolean | null;
}

@InputType({ description: 'The image to upload.' })
@Rules(uploadImageInput)
class UploadImageInput {
  @Field(() => UploadScalar, {
    description: 'PNG, JPEG, WebP or GIF file of at most 5 MB and 25 megapixels, at least 128 pixels wide and high.',
  })
  file!: UploadedFile | ReceivedImage;
  @Field(() => ImageKindEnum, { description: 'What it is for. It is cropped to the shape of its kind.' })
  kind!: ImageKind;
  @Field(() => ID, { nullable: true, description: 'ID of one of the caller’s agents.' }) agentId?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Shows it at once on the agent, or without one on the profile.',
  })
  apply?: boolean | null;
}

@InputType({ description: 'Where to show an image: either an agent or the profile.' })
@Rules(applyImageInput)
class ApplyImageInput {
  @Field(() => ID, { nullable: true, description: 'ID of one of the caller’s agents.' }) agentId?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'True for the caller’s profile.' }) profile?: boolean | null;
}

@Resolver()
export class ImageResolver {
  @Access('images:write')
  @RateLimit('images')
  @OncePerRequest()
  @Mutation(() => GeneratedImages, { description: 'Makes images in the background. They count against the day.' })
  async generateImages(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => GenerateImagesInput) input: GenerateImagesInput,
  ): Promise<GeneratedImages> {
    return { data: (await generateImages(ctx, input)).map(toImage(ctx)) };
  }

  @Access('images:write')
  @RateLimit('imageUploads')
  @OncePerRequest()
  @Mutation(() => ImageType, { description: 'Uploads an image. Only the picture is kept, none of its metadata.' })
  async uploadImage(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => UploadImageInput) { file, ...input }: UploadImageInput,
  ): Promise<ImageType> {
    const image = 'removal' in file ? addImage(ctx, file, input) : uploadImage(ctx, file.content, input);
    return toImage(ctx)(await image);
  }

  @Access('images:read')
  @Query(() => ImageList, { description: 'Lists the caller’s images, newest first.' })
  async images(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('kind', () => ImageKindEnum, { nullable: true, description: 'Only images of this kind.' }) kind?: ImageKind,
    @Arg('agentId', () => ID, { nullable: true, description: 'Only images for this agent.' }) agentId?: string,
    @Arg('status', () => ImageStatusEnum, { nullable: true, description: 'Only images with this status.' })
    status?: ImageStatus,
  ): Promise<ImageList> {
    const page = await listImages(ctx, { kind, agentId, status, ...paging, counted });
    return { ...page, data: page.data.map(toImage(ctx)) };
  }

  @Access('images:read')
  @Query(() => ImageType, { description: 'Returns an image and its progress.' })
  async image(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Image ID.' }) id: string,
  ): Promise<ImageType> {
    return toImage(ctx)(await getImage(ctx, id));
  }

  @Access('images:read')
  @Query(() => ImageOriginal, {
    description: 'Returns the download URL of what the model made, with the provider’s own marks. Uploads have none.',
  })
  async imageOriginal(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Image ID.' }) id: string,
  ): Promise<ImageOriginal> {
    const image = await getImage(ctx, id);
    return { id: image.id, url: `${ctx.config.publicUrl}/v1/images/${image.id}/original` };
  }

  @Access('images:write')
  @Mutation(() => ImageType, { description: 'Shows an image on an agent or the profile of the caller.' })
  async applyImage(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Image ID.' }) id: string,
    @Arg('input', () => ApplyImageInput) input: ApplyImageInput,
  ): Promise<ImageType> {
    return toImage(ctx)(await applyImage(ctx, id, input));
  }

  @Access('images:write')
  @Mutation(() => Deletion, { description: 'Permanently deletes an image. Its addresses stop working at once.' })
  deleteImage(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Image ID.' }) id: string,
    @Arg('force', () => Boolean, {
      nullable: true,
      description: 'Also deletes an image that is shown somewhere, and clears it there.',
    })
    force?: boolean,
  ): Promise<Deletion> {
    return deleteImage(ctx, id, force ?? false);
  }
}

export const toImage =
  ({ config }: Pick<GraphqlContext, 'config'>) =>
  (image: Image): ImageType =>
    describeImage(config, image) as ImageType;

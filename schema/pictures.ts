import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Picture } from '../src/images/pictures.ts';
import { UserType } from './accounts.ts';
import { PublicProfileType } from './agent-details.ts';
import { AgentType } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { ListingType } from './listing-types.ts';
import { GraphqlOnly } from './decorators.ts';
import { ProfileType } from './profiles.ts';

@ObjectType('Picture', {
  description: 'An avatar as this service shows it: its own file, or its copy of a picture elsewhere without metadata.',
})
class PictureType {
  @Field(() => String, { description: 'URL of 64×64 pixels, 256×256 for a copy.' }) small!: string;
  @Field(() => String, { description: 'URL of 256×256 pixels.' }) medium!: string;
  @Field(() => String, { description: 'URL of 1024×1024 pixels, 256×256 for a copy.' }) large!: string;
  @Field(() => String, { nullable: true, description: 'A tiny preview as a data URI.' }) placeholder!: string | null;
  @Field(() => Boolean, { description: 'Whether a model made it.' }) aiGenerated!: boolean;
}

const isMade = async (
  { loaders }: GraphqlContext,
  { avatarUrl, bannerUrl }: { avatarUrl: string | null; bannerUrl: string | null },
): Promise<boolean> => {
  const urls = [avatarUrl, bannerUrl].filter((url) => url !== null);
  const pictures = await Promise.all(urls.map((url) => loaders.picture.load(url)));
  return pictures.some((picture) => picture?.aiGenerated);
};
const isMadeDescription = 'Whether a model made the avatar or the banner.';

const load = async ({ loaders }: GraphqlContext, url: string | null): Promise<Picture | null> =>
  url === null ? null : loaders.picture.load(url);

const description = 'The avatar as this service shows it; null without one.';

@Resolver(() => AgentType)
export class AgentPictureResolver {
  @GraphqlOnly()
  @FieldResolver(() => PictureType, { nullable: true, description })
  picture(@Root() { avatarUrl }: AgentType, @Ctx() ctx: GraphqlContext): Promise<Picture | null> {
    return load(ctx, avatarUrl);
  }
}

@Resolver(() => ListingType)
export class ListingPictureResolver {
  @GraphqlOnly()
  @FieldResolver(() => PictureType, { nullable: true, description })
  picture(@Root() { avatarUrl }: ListingType, @Ctx() ctx: GraphqlContext): Promise<Picture | null> {
    return load(ctx, avatarUrl);
  }

  @FieldResolver(() => Boolean, { description: isMadeDescription })
  aiGenerated(@Root() listing: ListingType, @Ctx() ctx: GraphqlContext): Promise<boolean> {
    return isMade(ctx, listing);
  }
}

@Resolver(() => PublicProfileType)
export class ProfilePictureResolver {
  @GraphqlOnly()
  @FieldResolver(() => PictureType, { nullable: true, description })
  picture(@Root() { avatarUrl }: PublicProfileType, @Ctx() ctx: GraphqlContext): Promise<Picture | null> {
    return load(ctx, avatarUrl);
  }
}

@Resolver(() => ProfileType)
export class ProfilePagePictureResolver {
  @GraphqlOnly()
  @FieldResolver(() => PictureType, { nullable: true, description })
  picture(@Root() { avatarUrl }: ProfileType, @Ctx() ctx: GraphqlContext): Promise<Picture | null> {
    return load(ctx, avatarUrl);
  }

  @FieldResolver(() => Boolean, { description: isMadeDescription })
  aiGenerated(@Root() profile: ProfileType, @Ctx() ctx: GraphqlContext): Promise<boolean> {
    return isMade(ctx, profile);
  }
}

@Resolver(() => UserType)
export class UserPictureResolver {
  @GraphqlOnly()
  @FieldResolver(() => PictureType, { nullable: true, description })
  picture(@Root() { avatarUrl }: UserType, @Ctx() ctx: GraphqlContext): Promise<Picture | null> {
    return load(ctx, avatarUrl);
  }
}

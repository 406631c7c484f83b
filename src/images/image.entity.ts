import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import { Agent } from '../agents/agent.entity.ts';
import type { ImageKind } from './encoding/variants.ts';
import type { ImageStatus, ImageStyle } from './image.input.ts';

export type ImageSource = 'generated' | 'uploaded';

export type ImageModerationState = 'ok' | 'held' | 'removed';

const ImageSchema = defineEntity({
  name: 'Image',
  tableName: 'images',
  properties: {
    id: p.text().primary(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('set null').strictNullable(),
    kind: p.text().$type<ImageKind>(),
    source: p.text().$type<ImageSource>(),
    status: p.text().$type<ImageStatus>(),
    prompt: p.text().strictNullable(),
    style: p.text().$type<ImageStyle>().strictNullable(),
    /** What is sent to the provider. */
    fullPrompt: p.text().strictNullable(),
    /** Part of the public address. */
    token: p.text(),
    /** In the file store, below the image's own; null until it is ready. */
    folder: p.text().strictNullable(),
    placeholder: p.text().strictNullable(),
    errorCode: p.text().strictNullable(),
    errorMessage: p.text().strictNullable(),
    /** Where it goes once it is ready, unless what is there is no longer `applyOver`. */
    applyTo: p.text().$type<'agent' | 'profile'>().strictNullable(),
    applyOver: p.text().strictNullable(),
    /** The UTC day that was charged; null when nothing was. */
    quotaDay: p.date().strictNullable(),
    startedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    /** `removed` takes it off its public addresses. */
    moderationState: p.text().$type<ImageModerationState>().default('ok'),
    /** When it is removed unless it is used; null once it was. */
    expiresAt: p.datetime(3).strictNullable(),
  },
});

/** A picture for an agent or a profile. */
export class Image extends ImageSchema.class {}
ImageSchema.setClass(Image);

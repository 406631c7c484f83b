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
    /** Prompt that is sent to the provider. */
    fullPrompt: p.text().strictNullable(),
    /** Token in the public URL. */
    token: p.text(),
    /** Subfolder of the image's folder in the file store; null until the image is ready. */
    folder: p.text().strictNullable(),
    placeholder: p.text().strictNullable(),
    /** Size of all files; 0 until the image is ready. */
    sizeBytes: p.integer().default(0),
    errorCode: p.text().strictNullable(),
    errorMessage: p.text().strictNullable(),
    /** Where to show the image once it is ready, unless the image shown there is no longer `applyOver`. */
    applyTo: p.text().$type<'agent' | 'profile'>().strictNullable(),
    applyOver: p.text().strictNullable(),
    /** UTC day that was charged; null when nothing was. */
    quotaDay: p.date().strictNullable(),
    startedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    /** `removed` disables the public URLs. */
    moderationState: p.text().$type<ImageModerationState>().default('ok'),
    /** When the image is removed unless it is used; null once it was used. */
    expiresAt: p.datetime(3).strictNullable(),
  },
});

/** A picture for an agent or a profile. */
export class Image extends ImageSchema.class {}
ImageSchema.setClass(Image);

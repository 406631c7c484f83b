import type { Ctx } from '../core/ctx.ts';
import { type Image } from '../images/image.entity.ts';
import { imageColumns } from '../images/image.ts';
import { type Document, documentColumns } from '../knowledge/document.ts';
import type { ChannelKinds } from './channel.ts';
import { accountChannel } from './channels/account-channel.ts';
import { conversationChannel } from './channels/conversation-channel.ts';
import { roomChannel } from './channels/room-channel.ts';
import { stateChannel } from './channels/state-channel.ts';

/** Converts documents and images to their REST representation. */
export interface Presenters {
  document: (document: Document) => object;
  image: (ctx: Ctx, image: Image) => object;
}

type OwnedDocument = Document & { ownerId: string };

const readDocuments = {
  name: 'channel_documents',
  text: `select ${documentColumns}, d.owner_id as "ownerId" from documents d where d.id = any ($1)`,
};
const readImages = {
  name: 'channel_images',
  text: `select ${imageColumns} from images i where i.id = any ($1)`,
};

/** Creates the channels of the socket. */
export const createChannels = ({ document, image }: Presenters): ChannelKinds => ({
  account: accountChannel,
  conversation: conversationChannel,
  room: roomChannel,
  document: stateChannel<OwnedDocument>({
    scope: 'knowledge:read',
    prefix: 'doc_',
    statement: readDocuments,
    isOf: ({ ownerId }, accountId) => ownerId === accountId,
    isFinal: ({ status }) => status !== 'processing',
    present: (_ctx, row) => document(row),
  }),
  image: stateChannel<Image>({
    scope: 'images:read',
    prefix: 'img_',
    statement: readImages,
    isOf: ({ ownerId }, accountId) => ownerId === accountId,
    isFinal: ({ status }) => status !== 'processing',
    present: image,
  }),
});

import type { Scope } from '../../src/core/actor.ts';
import { wav } from '../support/audio.ts';
import { picture } from '../support/images.ts';
import { publicFigure } from './public-figure.ts';

/** The resources of an account. */
export interface Belongings {
  agentId: string;
  versionId: string;
  experimentId: string;
  conversationId: string;
  messageId: string;
  generationId: string;
  docId: string;
  webhookId: string;
  deliveryId: string;
  integrationId: string;
  apiKeyId: string;
  sessionId: string;
  exportId: string;
  eventId: string;
  imageId: string;
  embedId: string;
  visitorId: string;
  shareId: string;
  /** Another agent, which is public and has a case. */
  publicAgentId: string;
  /** Of the private agent. */
  reviewId: string;
  decisionId: string;
  roomId: string;
  roomMessageId: string;
  turnId: string;
  invitationId: string;
  /** Another person in the room. */
  memberId: string;
  /** The account itself. */
  accountId: string;
  /** Rooms of another account to which it is invited. */
  invitedRoomId: string;
  offeredRoomId: string;
  /** A room of another account that it has joined. */
  leftRoomId: string;
  /** Rooms of another account of which it is offered the ownership. */
  acceptedRoomId: string;
  declinedRoomId: string;
}

export interface Person {
  email: string;
  password: string;
  refreshToken: string;
  /** The token of a link to the account's own room. */
  roomToken: string;
  /** The username of an account without a room. */
  invitee: string;
}

export type Args = Record<string, unknown>;

/** A call of an operation: arguments by GraphQL name, with wire values. */
interface Call {
  args?: (its: Belongings, person: Person) => Args;
  /** The error for another user's id, if it is not `not_found`. */
  denial?: string;
  /** Whether it ends the session that calls it. */
  ownSession?: true;
  /** A scope required in addition to the declared one. */
  alsoNeeds?: Scope;
}

const agent = { name: 'Ada', instructions: 'Teach.', greetingMessage: 'Hello.' };
const message = { content: 'Hello, Ada.' };
const plan = { plan: 'pro', interval: 'month' };
const page = { limit: 2, offset: 0 };
const pages = { successUrl: 'https://example.com/yes', cancelUrl: 'https://example.com/no' };
const newPassword = 'a quite different horse';
const botToken = '1:never-seen';
const url = 'https://example.com/hook';

const conversation = ({ conversationId }: Belongings) => ({ conversationId });
const inConversation = ({ conversationId, messageId }: Belongings) => ({ conversationId, messageId });
const document = ({ agentId, docId }: Belongings) => ({ agentId, docId });
const byAgent = ({ agentId }: Belongings) => ({ id: agentId });
const byConversation = ({ conversationId }: Belongings) => ({ id: conversationId });
const byRoom = ({ roomId }: Belongings) => ({ id: roomId });
const inRoom = ({ roomId }: Belongings) => ({ roomId });
const byWebhook = ({ webhookId }: Belongings) => ({ id: webhookId });
const byIntegration = ({ integrationId }: Belongings) => ({ id: integrationId });
const byKey = ({ apiKeyId }: Belongings) => ({ id: apiKeyId });
const delivery = ({ webhookId, deliveryId }: Belongings) => ({ webhookId, deliveryId });
const byExperiment = ({ experimentId }: Belongings) => ({ id: experimentId });
const variants = ({ versionId }: Belongings) => [
  { key: 'a', versionId, weight: 50 },
  { key: 'b', versionId, weight: 50 },
];
const version = ({ agentId, versionId }: Belongings) => ({ agentId, versionId });
const byImage = ({ imageId }: Belongings) => ({ id: imageId });
const byEmbed = ({ embedId }: Belongings) => ({ id: embedId });
const png = Buffer.from(await picture(128, 128)).toString('base64');
const figure = () => ({ userId: publicFigure.userId });
const figureName = () => ({ username: publicFigure.username });
const figureAgent = () => ({ agentId: publicFigure.agentId });
const figureShare = () => ({ token: publicFigure.shareToken });
const ofAgent = ({ agentId }: Belongings) => ({ agentId });
const ofPublicAgent = ({ publicAgentId }: Belongings) => ({ agentId: publicAgentId });
const caseOfAgent = ({ publicAgentId }: Belongings) => ({ subjectType: 'agent', subjectId: publicAgentId });
const none: Call = {};

/**
 * Every operation of the service, in an order in which one account can run all of them: deletions follow uses. The test
 * fails for an operation that is missing.
 */
export const operationTable: Readonly<Record<string, Call>> = {
  'Query.models': none,
  'Query.service': none,
  'Query.me': none,
  'Query.sessions': none,
  'Query.auditLog': { args: () => page },
  'Query.apiKeys': none,
  'Query.dataExport': { args: ({ exportId }) => ({ id: exportId }) },
  'Query.subscription': none,
  'Query.invoices': { args: () => page },
  'Query.usage': none,
  'Query.limits': none,
  'Query.agentVersions': { args: ({ agentId }) => ({ agentId }) },
  'Query.agentVersion': { args: version },
  'Query.plans': none,
  'Query.previewSubscriptionChange': { args: () => ({ plan: 'pro' }) },
  'Query.agentAnalytics': { args: ({ agentId }) => ({ agentId }) },
  'Query.studioAnalytics': none,
  'Query.sharedFeedback': { args: ({ agentId }) => ({ agentId }) },
  'Query.experiments': { args: ({ agentId }) => ({ agentId }) },
  'Query.experiment': { args: byExperiment },
  'Query.experimentResults': { args: byExperiment },
  'Query.agents': { args: () => page },
  'Query.exploreAgents': { args: () => page },
  'Query.agent': { args: byAgent },
  'Query.conversations': { args: () => page },
  'Query.searchConversations': { args: () => ({ q: 'hello' }) },
  'Query.conversation': { args: byConversation },
  'Query.messages': { args: conversation },
  'Query.exportConversation': { args: conversation },
  'Query.documents': { args: ({ agentId }) => ({ agentId }) },
  'Query.document': { args: document },
  'Query.documentChunks': { args: document },
  'Query.documentContent': { args: document },
  'Query.queryKnowledge': { args: ({ agentId }) => ({ agentId, input: { query: 'refunds' } }) },
  'Query.images': { args: () => page },
  'Query.image': { args: byImage },
  'Query.imageOriginal': { args: byImage },
  'Query.voices': none,
  'Query.rooms': { args: () => page },
  'Query.room': { args: byRoom },
  'Query.roomMembers': { args: inRoom },
  'Query.roomInvitations': { args: inRoom },
  'Query.roomMessages': { args: inRoom },
  'Query.roomTurns': { args: inRoom },
  'Query.embeds': { args: () => page },
  'Query.embed': { args: byEmbed },
  'Query.embedStats': { args: byEmbed },
  'Query.embedVisitors': { args: byEmbed },
  'Query.profile': { args: figureName },
  'Query.profileAgents': { args: figureName },
  'Query.profileFollowing': { args: figureName },
  'Query.profileFollowers': { args: figureName },
  'Query.ownProfile': none,
  'Query.following': { args: () => page },
  'Query.followers': { args: () => page },
  'Query.likes': { args: () => page },
  'Query.blocks': { args: () => page },
  'Query.mutes': { args: () => page },
  'Query.shares': { args: () => page },
  'Query.sharedConversation': { args: figureShare },
  'Query.feed': { args: () => ({ limit: 2 }) },
  'Query.marketplace': { args: () => page },
  'Query.marketplaceHome': none,
  'Query.listing': { args: byAgent },
  'Query.agentListing': { args: ofAgent },
  'Query.reviews': { args: ofAgent },
  'Query.reports': { args: () => page },
  'Query.moderationDecisions': { args: () => page },
  'Query.moderationCases': { args: () => page },
  'Query.moderationCase': { args: caseOfAgent },
  'Query.moderationCasePicture': { args: ({ imageId }) => ({ subjectType: 'image', subjectId: imageId }) },
  'Query.webhooks': none,
  'Query.webhook': { args: byWebhook },
  'Query.webhookStats': { args: byWebhook },
  'Query.webhookDelivery': { args: ({ webhookId, deliveryId }) => ({ webhookId, id: deliveryId }) },
  'Query.recentEvents': { args: ({ eventId }) => ({ before: eventId }), denial: 'invalid_request' },
  'Query.webhookDeliveries': { args: ({ webhookId }) => ({ webhookId }) },
  'Query.integrations': none,
  'Query.integration': { args: byIntegration },
  'Subscription.webhookDeliveryUpdates': { args: ({ webhookId }) => ({ webhookId }) },
  'Subscription.events': { args: ({ eventId }) => ({ after: eventId }), denial: 'invalid_request' },
  'Subscription.generationStream': {
    args: ({ conversationId, generationId }) => ({ conversationId, generationId }),
  },
  'Subscription.conversationEvents': { args: ({ conversationId }) => ({ id: conversationId }) },
  'Subscription.roomEvents': { args: byRoom },
  'Subscription.documentUpdates': { args: ({ agentId }) => ({ agentId }) },
  'Subscription.previewStream': {
    args: ({ agentId }) => ({
      agent: { name: 'Ada', instructions: 'Teach.' },
      messages: [{ role: 'user', content: 'Hello.' }],
      agentId,
    }),
  },
  'Subscription.messageStream': { args: (its) => ({ ...conversation(its), input: message }) },

  'Mutation.register': { args: () => ({ input: { email: 'taken', password: 'x' } }) },
  'Mutation.login': { args: (_its, { email, password }) => ({ input: { email, password } }) },
  'Mutation.refresh': { args: (_its, { refreshToken }) => ({ input: { refreshToken } }) },
  'Mutation.forgotPassword': { args: () => ({ input: { email: 'nobody@example.com' } }) },
  'Mutation.resetPassword': { args: () => ({ input: { token: 'rst_none', newPassword } }) },
  'Mutation.verifyEmail': { args: () => ({ input: { token: 'vt_none' } }) },
  'Mutation.resendVerification': none,
  'Mutation.changeEmail': {
    args: (_its, { email, password }) => ({ input: { newEmail: `new.${email}`, currentPassword: password } }),
  },
  'Mutation.restoreAccount': { args: (_its, { email, password }) => ({ input: { email, password } }) },
  'Mutation.updateMe': { args: () => ({ input: { bio: 'A person.' } }) },
  'Mutation.updatePreferences': { args: () => ({ input: { theme: 'dark' } }) },
  'Mutation.createApiKey': { args: () => ({ input: { name: 'k', scopes: ['account:read'] } }) },
  'Mutation.requestDataExport': none,
  'Mutation.createCheckout': { args: () => ({ input: { ...plan, ...pages } }) },
  'Mutation.changeSubscription': { args: () => ({ input: { plan: 'pro' } }) },
  'Mutation.cancelSubscription': none,
  'Mutation.resumeSubscription': none,
  'Mutation.createPortalSession': none,
  'Mutation.createAgent': { args: () => ({ input: agent }) },
  'Mutation.updateAgent': { args: (its) => ({ ...byAgent(its), input: { name: 'Ada L.' } }) },
  'Mutation.createAgentVersion': { args: ({ agentId }) => ({ agentId, input: { note: 'Draft' } }) },
  'Mutation.publishAgentVersion': { args: version, alsoNeeds: 'agents:write' },
  'Mutation.createExperiment': {
    args: (its) => ({ agentId: its.agentId, input: { name: 'Twice', variants: variants(its) } }),
  },
  'Mutation.updateExperiment': { args: (its) => ({ ...byExperiment(its), input: { name: 'Again' } }) },
  'Mutation.startExperiment': { args: byExperiment },
  'Mutation.pauseExperiment': { args: byExperiment },
  'Mutation.resumeExperiment': { args: byExperiment },
  'Mutation.concludeExperiment': {
    args: (its) => ({ ...byExperiment(its), input: { versionId: its.versionId } }),
    alsoNeeds: 'agents:write',
  },
  'Mutation.stopExperiment': { args: byExperiment },
  'Mutation.deleteExperiment': { args: byExperiment },
  'Mutation.updateListing': { args: (its) => ({ ...ofAgent(its), input: { tags: ['math'] } }) },
  'Mutation.copyAgent': { args: ofAgent },
  'Mutation.reviewAgent': { args: (its) => ({ ...ofAgent(its), input: { rating: 5 } }) },
  'Mutation.replyToReview': { args: ({ reviewId }) => ({ id: reviewId, input: { text: 'Thank you.' } }) },
  'Mutation.deleteReview': { args: ofAgent },
  'Mutation.report': {
    args: ({ agentId }) => ({ input: { subjectType: 'agent', subjectId: agentId, reason: 'spam' } }),
  },
  'Mutation.appealDecision': { args: ({ decisionId }) => ({ id: decisionId, input: { text: 'It is mine.' } }) },
  'Mutation.decideModeration': {
    args: (its) => ({ input: { ...caseOfAgent(its), action: 'none', reason: 'spam', statement: 'It is fine.' } }),
  },
  'Mutation.featureAgent': { args: ofPublicAgent },
  'Mutation.stopFeaturingAgent': { args: ofPublicAgent },
  'Mutation.createConversation': { args: ({ agentId }) => ({ input: { agentId } }) },
  'Mutation.updateConversation': { args: (its) => ({ ...byConversation(its), input: { title: 'Talk' } }) },
  'Mutation.sendMessage': { args: (its) => ({ ...conversation(its), input: message }) },
  'Mutation.stopGeneration': { args: conversation },
  'Mutation.regenerateMessage': { args: inConversation },
  'Subscription.regenerateStream': { args: inConversation },
  'Mutation.editMessage': { args: (its) => ({ ...inConversation(its), input: message }) },
  'Subscription.editStream': { args: (its) => ({ ...inConversation(its), input: message }) },
  'Mutation.activateMessage': { args: inConversation },
  'Mutation.giveFeedback': { args: (its) => ({ ...inConversation(its), input: { rating: 'up' } }) },
  'Mutation.speakMessage': {
    args: (its) => ({ ...inConversation(its), input: { voiceId: 'nova' } }),
    alsoNeeds: 'conversations:read',
  },
  'Mutation.synthesizeSpeech': { args: () => ({ input: { text: 'Hi.' } }) },
  'Mutation.transcribeAudio': { args: () => ({ input: { audio: wav(0.2).toString('base64') } }) },
  'Mutation.uploadDocument': {
    args: ({ agentId }) => ({ agentId, input: { file: { filename: 'a.txt', base64: 'UmVmdW5kcy4=' } } }),
  },
  'Mutation.retryDocument': { args: document },
  'Mutation.generateImages': { args: ({ agentId }) => ({ input: { kind: 'avatar', agentId } }) },
  'Mutation.uploadImage': {
    args: ({ agentId }) => ({ input: { kind: 'avatar', agentId, file: { filename: 'a.png', base64: png } } }),
  },
  'Mutation.applyImage': {
    args: ({ imageId, agentId }) => ({ id: imageId, input: { agentId } }),
    alsoNeeds: 'agents:write',
  },
  'Mutation.createEmbed': {
    args: ({ agentId }) => ({ input: { agentId, name: 'Shop', allowedOrigins: ['https://shop.example'] } }),
  },
  'Mutation.updateEmbed': { args: (its) => ({ ...byEmbed(its), input: { name: 'Store' } }) },
  'Mutation.rotateEmbedSecret': { args: byEmbed },
  'Mutation.createEmbeddings': { args: () => ({ input: { input: 'Hello.' } }) },
  'Mutation.updateProfile': { args: () => ({ input: { showFollowing: true } }) },
  'Mutation.follow': { args: figure },
  'Mutation.unfollow': { args: figure },
  'Mutation.like': { args: ({ agentId }) => ({ agentId }) },
  'Mutation.unlike': { args: figureAgent },
  'Mutation.mute': { args: figure },
  'Mutation.unmute': { args: figure },
  'Mutation.block': { args: figure },
  'Mutation.unblock': { args: figure },
  'Mutation.createShare': { args: ({ conversationId }) => ({ input: { type: 'conversation', conversationId } }) },
  'Mutation.continueShare': { args: figureShare },
  'Mutation.revokeShare': { args: ({ shareId }) => ({ id: shareId }) },
  'Mutation.createRoom': { args: () => ({ input: { name: 'Kitchen' } }) },
  'Mutation.updateRoom': { args: (its) => ({ ...byRoom(its), input: { name: 'Pantry' } }) },
  'Mutation.addRoomAgent': { args: (its) => ({ ...inRoom(its), input: { agentId: its.agentId } }) },
  'Mutation.updateRoomAgent': {
    args: (its) => ({ ...inRoom(its), agentId: its.agentId, input: { muted: false } }),
  },
  'Mutation.inviteToRoom': { args: (its, { invitee }) => ({ ...inRoom(its), input: { username: invitee } }) },
  'Mutation.joinRoom': { args: ({ invitedRoomId }) => ({ id: invitedRoomId }) },
  'Mutation.joinRoomByLink': { args: (_its, { roomToken }) => ({ input: { token: roomToken } }) },
  'Mutation.declineRoom': { args: ({ offeredRoomId }) => ({ id: offeredRoomId }) },
  'Mutation.leaveRoom': { args: ({ leftRoomId }) => ({ id: leftRoomId }) },
  'Mutation.updateRoomMember': {
    args: (its) => ({ ...inRoom(its), userId: its.memberId, input: { mutedUntil: null } }),
  },
  'Mutation.transferRoom': { args: (its) => ({ ...byRoom(its), input: { userId: its.accountId } }) },
  'Mutation.acceptRoomTransfer': { args: ({ acceptedRoomId }) => ({ id: acceptedRoomId }) },
  'Mutation.cancelRoomTransfer': { args: ({ declinedRoomId }) => ({ id: declinedRoomId }) },
  'Mutation.createRoomInvitation': { args: (its) => ({ ...inRoom(its), input: { maxUses: 1 } }) },
  'Mutation.revokeRoomInvitation': {
    args: (its) => ({ ...inRoom(its), invitationId: its.invitationId }),
  },
  'Mutation.postRoomMessage': { args: (its) => ({ ...inRoom(its), input: message }) },
  'Mutation.requestTurn': { args: (its) => ({ ...inRoom(its), input: { agentId: its.agentId } }) },
  'Mutation.stopTurn': { args: (its) => ({ ...inRoom(its), turnId: its.turnId }) },
  'Mutation.stopTurns': { args: inRoom },
  'Mutation.markRoomRead': { args: (its) => ({ ...inRoom(its), input: { position: 1 } }) },
  'Mutation.deleteRoomMessage': { args: (its) => ({ ...inRoom(its), messageId: its.roomMessageId }) },
  'Mutation.removeRoomAgent': { args: (its) => ({ ...inRoom(its), agentId: its.agentId }) },
  'Mutation.removeRoomMember': { args: (its) => ({ ...inRoom(its), userId: its.memberId }) },
  'Mutation.deleteRoom': { args: byRoom },
  'Mutation.createWebhook': { args: () => ({ input: { url, events: ['agent.created'] } }) },
  'Mutation.updateWebhook': { args: (its) => ({ ...byWebhook(its), input: { active: true } }) },
  'Mutation.rotateWebhookSecret': { args: byWebhook },
  'Mutation.testWebhook': {
    args: ({ webhookId }) => ({ webhookId, input: { eventType: 'agent.created' } }),
  },
  'Mutation.redeliverWebhookDelivery': { args: delivery },
  'Mutation.recoverWebhookDeliveries': {
    args: ({ webhookId }) => ({ webhookId, input: { since: new Date(Date.now() - 60_000).toISOString() } }),
  },
  'Mutation.discoverChannels': { args: () => ({ input: { platform: 'chat_messenger', botToken } }) },
  'Mutation.connectServer': {
    args: ({ agentId }) => ({ input: { agentId, botToken, guildId: 'G1', channelIds: ['C1'] } }),
  },
  'Mutation.connectMessenger': { args: ({ agentId }) => ({ input: { agentId, botToken } }) },
  'Mutation.connectWorkspace': {
    args: ({ agentId }) => ({ input: { agentId, botToken, workspaceId: 'W1', channelIds: ['C1'] } }),
  },
  'Mutation.updateIntegration': { args: (its) => ({ ...byIntegration(its), input: { autoRespond: true } }) },
  'Mutation.testIntegration': { args: byIntegration },

  'Mutation.deleteEmbedVisitor': { args: ({ embedId, visitorId }) => ({ id: embedId, visitorId }) },
  'Mutation.deleteEmbed': { args: byEmbed },
  'Mutation.deleteIntegration': { args: byIntegration },
  'Mutation.deleteWebhook': { args: byWebhook },
  'Mutation.deleteDocument': { args: document },
  'Mutation.deleteImage': { args: (its) => ({ ...byImage(its), force: true }) },
  'Mutation.deleteConversation': { args: byConversation },
  'Mutation.deleteAgent': { args: byAgent },
  'Mutation.rotateApiKey': { args: (its) => ({ ...byKey(its), input: { overlapSeconds: 600 } }) },
  'Mutation.revokeApiKey': { args: byKey },
  'Mutation.revokeSession': { args: ({ sessionId }) => ({ id: sessionId }) },
  'Mutation.logout': { ownSession: true },
  'Mutation.changePassword': {
    args: (_its, { password }) => ({ input: { currentPassword: password, newPassword } }),
  },
  'Mutation.deleteMe': none,
};

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Kind of an item in the feed. */
export type ActivityType =
  /** An agent became public. */
  | 'AGENT_PUBLISHED'
  /** A public agent was shared. */
  | 'AGENT_SHARED'
  /** A conversation was shared. */
  | 'CONVERSATION_SHARED'
  /** A trending agent, for a caller who follows no one. */
  | 'SUGGESTION';

/** Purpose of an agent. */
export type AgentCategory =
  /** Helps with everyday tasks. */
  | 'ASSISTANT'
  /** Plays a fictional character. */
  | 'CHARACTER'
  /** Helps to reach a goal. */
  | 'COACH'
  /** A companion to talk to. */
  | 'COMPANION'
  /** Creative writing. */
  | 'CREATIVE'
  /** Helps with programming. */
  | 'DEVELOPER'
  /** Anything else. */
  | 'OTHER'
  /** Teaches a subject. */
  | 'TUTOR';

/** Order of the caller’s agents. */
export type AgentSort =
  /** Newest first. */
  | 'CREATED_AT'
  /** By name, A to Z. */
  | 'NAME'
  /** Last changed first. */
  | 'UPDATED_AT';

/** An appeal. */
export type AppealInput = {
  /** Why the decision is wrong, 1 to 4,000 characters. */
  text: string;
};

/** Target of an image: either an agent or the profile. */
export type ApplyImageInput = {
  /** ID of one of the caller’s agents. */
  agentId?: string | number | null | undefined;
  /** true applies the image to the caller’s profile. */
  profile?: boolean | null | undefined;
};

/** Kind of an action in the audit log. */
export type AuditAction =
  /** The account was scheduled for deletion. */
  | 'ACCOUNT_DELETION_SCHEDULED'
  /** The account was created. */
  | 'ACCOUNT_REGISTERED'
  /** The account was restored. */
  | 'ACCOUNT_RESTORED'
  /** An API key was created. */
  | 'API_KEY_CREATED'
  /** An API key was revoked. */
  | 'API_KEY_REVOKED'
  /** An API key was replaced by a new one. */
  | 'API_KEY_ROTATED'
  /** The e-mail address was changed. */
  | 'EMAIL_CHANGED'
  /** A change of the e-mail address was requested. */
  | 'EMAIL_CHANGE_REQUESTED'
  /** The e-mail address was verified. */
  | 'EMAIL_VERIFIED'
  /** A data export was downloaded. */
  | 'EXPORT_DOWNLOADED'
  /** A data export was requested. */
  | 'EXPORT_REQUESTED'
  /** The operator removed an image. */
  | 'IMAGE_TAKEN_DOWN'
  /** A login failed because of a wrong password. */
  | 'LOGIN_FAILED'
  /** A login succeeded. */
  | 'LOGIN_SUCCEEDED'
  /** A session was ended by logging out. */
  | 'LOGOUT'
  /** A moderator viewed a case. */
  | 'MODERATION_CASE_VIEWED'
  /** A moderator decided on a case. */
  | 'MODERATION_DECIDED'
  /** A moderator viewed the picture of a case. */
  | 'MODERATION_PICTURE_VIEWED'
  /** The password was changed. */
  | 'PASSWORD_CHANGED'
  /** The password was reset. */
  | 'PASSWORD_RESET'
  /** A password reset was requested. */
  | 'PASSWORD_RESET_REQUESTED'
  /** A session was revoked. */
  | 'SESSION_REVOKED'
  /** A refresh token was used twice, so its session was revoked. */
  | 'SESSION_TOKEN_REUSED';

/** How often a plan is billed. */
export type BillingInterval =
  /** Every month. */
  | 'MONTH'
  /** Every year, at the price of ten months. */
  | 'YEAR';

/** Dimension of a breakdown. */
export type Breakdown =
  /** Source of the person. */
  | 'SOURCE'
  /** Version of the agent that replied. */
  | 'VERSION';

/** The new e-mail address and the current password. */
export type ChangeEmailInput = {
  /** Current password. */
  currentPassword: string;
  /** New e-mail address, at most 254 characters. */
  newEmail: string;
};

/** The current and the new password. */
export type ChangePasswordInput = {
  /** Current password. */
  currentPassword: string;
  /** 8 to 128 characters; must differ from the e-mail address and the username. */
  newPassword: string;
};

/** The plan and interval to change to. */
export type ChangeSubscriptionInput = {
  /** Target interval. Default: the current one. */
  interval?: BillingInterval | null | undefined;
  /** Target plan. It or the interval must differ from the current one. */
  plan: PaidPlan;
};

/** The plan to buy and the return URLs. */
export type CheckoutInput = {
  /** URL to which the user returns after cancelling. */
  cancelUrl: string;
  /** Billing interval. */
  interval: BillingInterval;
  /** Plan to buy. */
  plan: PaidPlan;
  /** URL to which the user returns after payment; `{CHECKOUT_SESSION_ID}` is replaced. */
  successUrl: string;
};

/** The version to keep. */
export type ConcludeInput = {
  /** Version of the winning variant. */
  versionId: string | number;
};

/** A bot of the messenger (chat_messenger). */
export type ConnectMessengerInput = {
  /** ID of one of the caller’s agents. */
  agentId: string | number;
  /** Bot token. It is stored encrypted and never returned. */
  botToken: string;
};

/** A bot and its channels on a community server (chat_server). */
export type ConnectServerInput = {
  /** ID of one of the caller’s agents. */
  agentId: string | number;
  /** Bot token. It is stored encrypted and never returned. */
  botToken: string;
  /** IDs of 1 to 100 channels in which the agent replies. */
  channelIds: Array<string>;
  /** ID of the server on the platform. */
  guildId: string;
};

/** A bot and its channels in a workspace (chat_workspace). */
export type ConnectWorkspaceInput = {
  /** ID of one of the caller’s agents. */
  agentId: string | number;
  /** Bot token. It is stored encrypted and never returned. */
  botToken: string;
  /** IDs of 1 to 100 channels in which the agent replies. */
  channelIds: Array<string>;
  /** ID of the workspace on the platform. */
  workspaceId: string;
};

/** Intended audience of an agent. */
export type ContentRating =
  /** Everyone. */
  | 'EVERYONE'
  /** Adults. The agent is hidden from lists unless a user has opted in. */
  | 'MATURE';

/** Filter for a list of conversations. */
export type ConversationFilter =
  /** Archived conversations. */
  | 'ARCHIVED'
  /** Conversations that are not archived. */
  | 'OPEN'
  /** Conversations that are pinned and not archived. */
  | 'PINNED';

/** The fields of a new agent. */
export type CreateAgentInput = {
  /** URL of a square image, 256×256 pixels or larger. */
  avatarUrl?: string | null | undefined;
  /** Category of the agent, by which users can find it. */
  category?: AgentCategory | null | undefined;
  /** Short description, at most 300 characters. */
  description?: string | null | undefined;
  /** First message of every new conversation, at most 2,000 characters; generated when omitted. */
  greetingMessage?: string | null | undefined;
  /** System prompt, 1 to 32,000 characters. Markdown is allowed. */
  instructions: string;
  /** Whether other users can find the agent and chat with it. Defaults to false. */
  isPublic?: boolean | null | undefined;
  /** Language model that writes the replies. Defaults to `default`. */
  model?: ModelId | null | undefined;
  /** Display name, 1 to 80 characters. */
  name: string;
  /** Voice that speaks the agent’s messages. */
  voiceId?: VoiceId | null | undefined;
};

/** A draft version. Omitted fields are copied from the live version; null clears a nullable field. */
export type CreateAgentVersionInput = {
  /** First message of every new conversation. */
  greetingMessage?: string | null | undefined;
  /** System prompt, 1 to 32,000 characters. */
  instructions?: string | null | undefined;
  /** Language model that writes the replies. */
  model?: ModelId | null | undefined;
  /** Note for yourself, at most 300 characters. */
  note?: string | null | undefined;
  /** Voice that speaks the agent’s messages. */
  voiceId?: VoiceId | null | undefined;
};

/** The name and scopes of a new API key. */
export type CreateApiKeyInput = {
  /** Expiry time. If omitted, the key does not expire. */
  expiresAt?: string | null | undefined;
  /** Name to identify the key, 1 to 80 characters. */
  name: string;
  /** One or more scopes. An API key cannot grant scopes that it does not have. */
  scopes: Array<Scope>;
};

/** The agent of a new conversation. */
export type CreateConversationInput = {
  /** ID of the agent. */
  agentId: string | number;
  /** Title, 1 to 200 characters; generated after the first exchange when omitted. */
  title?: string | null | undefined;
  /** Version of the agent to test in this conversation. Only for the agent’s owner. */
  versionId?: string | number | null | undefined;
};

/** A new embed. */
export type CreateEmbedInput = {
  /** Whether the embed accepts visitors. */
  active?: boolean | null | undefined;
  /** ID of one of the caller’s agents. */
  agentId: string | number;
  /** 1 to 20 websites: `https://host`, `https://*.host`, with a port if needed. */
  allowedOrigins: Array<string>;
  /** Appearance of the chat. */
  appearance?: EmbedAppearanceInput | null | undefined;
  /** Challenge for new visitors. */
  challenge?: EmbedChallenge | null | undefined;
  /** Secret of the challenge. It is stored encrypted and never returned. */
  challengeSecret?: string | null | undefined;
  /** Site key of the challenge; null to use the service’s key. */
  challengeSiteKey?: string | null | undefined;
  /** Whether visitors are identified. */
  identity?: EmbedIdentity | null | undefined;
  /** Message limits. */
  limits?: EmbedLimitsInput | null | undefined;
  /** Name, 1 to 80 characters; visible only to the owner. */
  name: string;
  /** Notice shown before the first message, at most 1,000 characters; null for the default. */
  notice?: string | null | undefined;
  /** Days, 1 to 365, after which inactive visitors are erased. */
  retentionDays?: number | null | undefined;
  /** Whether `http://localhost` may be an allowed origin. */
  test?: boolean | null | undefined;
};

/** The endpoint and the events of a new webhook. */
export type CreateWebhookInput = {
  /** Description to identify it, at most 200 characters. */
  description?: string | null | undefined;
  /** One or more event types to deliver. */
  events: Array<WebhookEventType>;
  /** Signing secret, 8 to 256 visible ASCII characters; generated if omitted. Standard Webhooks libraries expect `whsec_` followed by base64. */
  secret?: string | null | undefined;
  /** HTTPS URL of the endpoint, at most 2,048 characters. Port 443, or from 1024 on except those of databases and caches (1433, 1521, 3306, 5432, 5984, 6379, 9042, 9200, 11211, 27017). */
  url: string;
};

/** A moderation decision. */
export type DecideInput = {
  /** The action to take. */
  action: ModerationAction;
  /** The rule on which the decision is based. */
  reason: ReportReason;
  /** Statement of reasons for the author, 1 to 4,000 characters. */
  statement: string;
  /** ID of the subject. */
  subjectId: string | number;
  /** Kind of the subject. */
  subjectType: SubjectType;
};

/** Status of a delivery. */
export type DeliveryStatus =
  /** The endpoint accepted it. */
  | 'DELIVERED'
  /** Every attempt failed. */
  | 'FAILED'
  /** Waiting for its next attempt. */
  | 'PENDING'
  /** It became due while the webhook was disabled. */
  | 'SKIPPED';

/** Display density of the console. */
export type Density =
  /** More space between items. */
  | 'COMFORTABLE'
  /** More items on the screen. */
  | 'COMPACT';

/** The bot whose channels to list. */
export type DiscoverChannelsInput = {
  /** Bot token. It is used only for this request and neither stored nor logged. */
  botToken: string;
  /** Chat platform. */
  platform: Platform;
};

/** Processing status of a document. */
export type DocumentStatus =
  /** Processing failed; `error` gives the reason. */
  | 'FAILED'
  /** The document is being processed. */
  | 'PROCESSING'
  /** The document is ready and used by the agent. */
  | 'READY';

/** Appearance of the chat. Omitted fields keep their value. */
export type EmbedAppearanceInput = {
  /** Whether the agent’s picture is shown. */
  avatar?: boolean | null | undefined;
  /** Colour of the button, such as `#4a4fc8`. */
  color?: string | null | undefined;
  /** Colour scheme. */
  dark?: EmbedTheme | null | undefined;
  /** Language tag; null for the language of the browser. */
  language?: string | null | undefined;
  /** Corner of the page. */
  position?: EmbedPosition | null | undefined;
  /** At most 6 questions of at most 200 characters. */
  starters?: Array<string> | null | undefined;
  /** Title, at most 80 characters; null for the agent’s name. */
  title?: string | null | undefined;
};

/** Challenge for new visitors. */
export type EmbedChallenge =
  /** No challenge. */
  | 'NONE'
  /** A Cloudflare Turnstile challenge. */
  | 'TURNSTILE';

/** Whether visitors are identified. */
export type EmbedIdentity =
  /** All visitors are anonymous. */
  | 'ANONYMOUS'
  /** Visitors with an identity token are recognized on every device; others are anonymous. */
  | 'OPTIONAL'
  /** Only visitors with an identity token are accepted. */
  | 'REQUIRED';

/** A fault of a visitor’s identity. */
export type EmbedIdentityFault =
  /** It is not signed with HS256. */
  | 'ALGORITHM'
  /** `aud` is not the ID of the embed. */
  | 'AUDIENCE'
  /** `exp` has passed. */
  | 'EXPIRED'
  /** `exp` is missing. */
  | 'EXPIRY_MISSING'
  /** `exp` is more than an hour from now. */
  | 'EXPIRY_TOO_LATE'
  /** It is not a JWT, or is too long. */
  | 'MALFORMED'
  /** The page passed no token, and the embed requires one. */
  | 'MISSING'
  /** It is not signed with the identity secret of the embed. */
  | 'SIGNATURE'
  /** `sub` is missing, or is not a text of 1 to 255 characters. */
  | 'SUBJECT';

/** Message limits of an embed. Omitted limits keep their value. */
export type EmbedLimitsInput = {
  /** Messages per network address and hour. Defaults to 30. */
  perAddressHour?: number | null | undefined;
  /** Messages per UTC day. Defaults to a third of the plan’s messages, also after a change of plan. */
  perDay?: number | null | undefined;
  /** Messages per visitor and UTC day. Defaults to 30. */
  perVisitorDay?: number | null | undefined;
};

/** Corner of the page for the chat button. */
export type EmbedPosition =
  /** The lower left corner. */
  | 'LEFT'
  /** The lower right corner. */
  | 'RIGHT';

/** Colour scheme of the chat. */
export type EmbedTheme =
  /** The visitor’s system setting. */
  | 'AUTO'
  /** Dark. */
  | 'DARK'
  /** Light. */
  | 'LIGHT';

/** Source of embeddings. */
export type EmbeddingSource =
  /** A small English model built into the service. */
  | 'LOCAL'
  /** A model of the configured provider. */
  | 'PROVIDER'
  /** A simulator that compares words and parts of words, not meaning. */
  | 'SIMULATOR';

/** Reason why an experiment ended. */
export type EndedReason =
  /** The agent became private. */
  | 'AGENT_UNPUBLISHED'
  /** The owner chose a winning version. */
  | 'CONCLUDED'
  /** A variant failed to reply much more often than the control. */
  | 'GUARDRAIL'
  /** The owner stopped it. */
  | 'STOPPED';

/** The draft of an experiment. */
export type ExperimentInput = {
  /** Expected number of people, 200 to 1,000,000. Defaults to 1,000. */
  expectedPeople?: number | null | undefined;
  /** Hypothesis, at most 500 characters. */
  hypothesis?: string | null | undefined;
  /** Success metric. Defaults to `continued`. */
  metric?: ExperimentMetric | null | undefined;
  /** Minimum number of days before a verdict, 1 to 60. Defaults to 7; for `returned` to 8, which is its minimum. */
  minDays?: number | null | undefined;
  /** Name, 1 to 80 characters. */
  name: string;
  /** Two to four versions, the control first. */
  variants: Array<ExperimentVariantInput>;
};

/** Success metric. */
export type ExperimentMetric =
  /** The person sends three or more messages within 24 hours of the first exposure. */
  | 'CONTINUED'
  /** The person sends a message between 24 hours and 7 days after the first exposure. */
  | 'RETURNED';

/** State of an experiment. */
export type ExperimentStatus =
  /** Not started; it can be changed. */
  | 'DRAFT'
  /** Finished. */
  | 'ENDED'
  /** Paused: everyone gets the live version; the experiment can be resumed. */
  | 'PAUSED'
  /** Running: people get their variant. */
  | 'RUNNING';

/** A variant of an experiment. */
export type ExperimentVariantInput = {
  /** `a` for the control, then `b`, `c` and `d`. */
  key: string;
  /** ID of the version. */
  versionId: string | number;
  /** Share of people in percent, 5 to 95. The weights sum to 100. */
  weight: number;
};

/** Order of public agents. */
export type ExploreSort =
  /** Most messages in total first. */
  | 'POPULAR'
  /** Newest first. */
  | 'RECENT'
  /** Agents with the most active users in recent days first. */
  | 'TRENDING';

/** Format of an exported conversation. */
export type ExportFormat =
  /** JSON, for further processing. */
  | 'JSON'
  /** Markdown, for reading. */
  | 'MARKDOWN';

/** Progress of a data export. */
export type ExportStatus =
  /** The download link expired after seven days. */
  | 'EXPIRED'
  /** The archive could not be created. Request a new export. */
  | 'FAILED'
  /** The archive is being created. */
  | 'PROCESSING'
  /** The download link was sent by e-mail. */
  | 'READY';

/** A rating of a reply. */
export type FeedbackInput = {
  /** Reason for the rating, at most 2,000 characters. */
  comment?: string | null | undefined;
  /** Rating of the reply. */
  rating: FeedbackRating;
  /** true lets the owner of the agent read the rating, the comment, your message and the reply, without your name. A later rating without it revokes this. */
  share?: boolean | null | undefined;
};

/** Rating of a reply. */
export type FeedbackRating =
  /** Not helpful. */
  | 'DOWN'
  /** Helpful. */
  | 'UP';

/** The account with the forgotten password. */
export type ForgotPasswordInput = {
  /** E-mail address of the account. */
  email: string;
};

/** The images to generate. */
export type GenerateImagesInput = {
  /** ID of one of the caller’s agents. Required without a prompt. */
  agentId?: string | number | null | undefined;
  /** Whether to apply the image to the agent or, without one, to the profile once it is ready, unless another image was applied in the meantime. */
  apply?: boolean | null | undefined;
  /** Number of drafts, 1 to 4. Defaults to 1. */
  count?: number | null | undefined;
  /** Purpose of the images. */
  kind: ImageKind;
  /** Description of the images, at most 1,000 characters. If omitted, it is derived from the name, description and category of the agent. */
  prompt?: string | null | undefined;
  /** Style. Defaults to `illustration`. */
  style?: ImageStyle | null | undefined;
};

/** State of a reply attempt. */
export type GenerationState =
  /** The reply is stored. */
  | 'COMPLETE'
  /** The attempt failed; sending the same message again retries it. */
  | 'FAILED'
  /** The service instance stopped; sending the same message again retries it. */
  | 'INTERRUPTED'
  /** The reply is being written. */
  | 'RUNNING'
  /** The user stopped the reply; the text written so far is stored. */
  | 'STOPPED';

/** Length of the buckets of a series. */
export type Granularity =
  /** Days in UTC. */
  | 'DAY'
  /** Weeks from Monday, in UTC. */
  | 'WEEK';

/** Purpose of an image. */
export type ImageKind =
  /** A square image for an agent or a profile. */
  | 'AVATAR'
  /** A banner, three times as wide as high. */
  | 'BANNER';

/** Origin of an image. */
export type ImageSource =
  /** Generated by a model. */
  | 'GENERATED'
  /** Uploaded by the user. */
  | 'UPLOADED';

/** Progress of an image. */
export type ImageStatus =
  /** The image could not be generated; `error` gives the reason. It does not count against the daily limit. */
  | 'FAILED'
  /** The image is queued or being generated. */
  | 'PROCESSING'
  /** The image is ready. */
  | 'READY';

/** Style of a generated image. */
export type ImageStyle =
  /** Anime style. */
  | 'ANIME'
  /** A clean illustration. */
  | 'ILLUSTRATION'
  /** A single simple motif. */
  | 'MINIMAL'
  /** Photographic. */
  | 'PHOTO'
  /** Pixel art. */
  | 'PIXEL'
  /** A watercolour. */
  | 'WATERCOLOR';

/** Connection status of an integration. */
export type IntegrationStatus =
  /** Connected to the platform. */
  | 'ACTIVE'
  /** The platform rejects the bot or its replies. Fix the cause, then activate the integration again. */
  | 'ERROR'
  /** Disconnected by the owner. */
  | 'INACTIVE';

/** A new invitation link. */
export type InvitationInput = {
  /** Expiry time, at most 30 days from now. Defaults to seven days from now. */
  expiresAt?: string | null | undefined;
  /** Maximum number of people who can use it, 1 to 100. Defaults to 10. */
  maxUses?: number | null | undefined;
  /** `member` (default), or `moderator` if the owner creates the link. */
  role?: RoomRole | null | undefined;
};

/** A person to invite. */
export type InviteInput = {
  /** `member` (default), or `moderator` if the owner invites. */
  role?: RoomRole | null | undefined;
  /** Username of the person. */
  username: string;
};

/** Payment status of an invoice. */
export type InvoiceStatus =
  /** Not final yet. */
  | 'DRAFT'
  /** Awaiting payment. */
  | 'OPEN'
  /** Paid. */
  | 'PAID'
  /** Written off. */
  | 'UNCOLLECTIBLE'
  /** Cancelled. */
  | 'VOID';

/** Changes to a listing. Omitted fields keep their value; null clears a nullable field. */
export type ListingInput = {
  /** Description of the agent in Markdown, at most 4,000 characters, without images from other hosts. */
  about?: string | null | undefined;
  /** Whether other users may copy the agent and read its instructions. */
  allowCopies?: boolean | null | undefined;
  /** URL of one of the caller’s banners. */
  bannerUrl?: string | null | undefined;
  /** Intended audience. */
  contentRating?: ContentRating | null | undefined;
  /** Language (ISO 639-1). */
  language?: string | null | undefined;
  /** Name in URLs: 3 to 64 characters of a to z, 0 to 9 and hyphens. The old one stays valid for 180 days. */
  slug?: string | null | undefined;
  /** At most 4 suggested first messages, each at most 120 characters. */
  starters?: Array<string> | null | undefined;
  /** At most 5 tags of a to z, 0 to 9 and hyphens. */
  tags?: Array<string> | null | undefined;
};

/** Visibility of an agent in the marketplace. */
export type ListingStatus =
  /** Hidden from lists until a moderator has reviewed it; direct use continues. */
  | 'HELD'
  /** Waiting for a moderator; visible only to the owner. */
  | 'IN_REVIEW'
  /** Listed in the marketplace. */
  | 'LISTED'
  /** Removed by a moderator; visible only to the owner. */
  | 'REMOVED'
  /** Private. */
  | 'UNLISTED';

/** Order of the marketplace. */
export type MarketplaceSort =
  /** Most messages in total first. */
  | 'POPULAR'
  /** Best rated first. */
  | 'RATING'
  /** Most recently published first. */
  | 'RECENT'
  /** Best match for the search text first. */
  | 'RELEVANCE'
  /** Agents with the most active users in recent days first. */
  | 'TRENDING';

/** Author of a message. */
export type MessageRole =
  /** The agent. */
  | 'ASSISTANT'
  /** The user. */
  | 'USER';

/** Language model. */
export type ModelId =
  /** More varied and surprising: stories, ideas, role play. */
  | 'CREATIVE'
  /** Balanced; suits most conversations. */
  | 'DEFAULT'
  /** Short answers, quickly, with a shorter memory. */
  | 'FAST'
  /** Sticks to the facts: support, study, questions about documents. */
  | 'PRECISE';

/** Effect of a decision. */
export type ModerationAction =
  /** Hides the subject from lists and feeds; direct use continues. */
  | 'HOLD'
  /** Dismisses the reports. */
  | 'NONE'
  /** Hides the subject from everyone but its author. */
  | 'REMOVE'
  /** Makes the subject visible again, approves a subject in review, and lifts a restriction of its author. */
  | 'RESTORE'
  /** Prevents the author from publishing. */
  | 'RESTRICT_AUTHOR';

/** Filter for a list of cases. */
export type ModerationCaseState =
  /** Cases with a pending appeal, longest-waiting first. */
  | 'APPEALED'
  /** Decided cases, last decided first. */
  | 'CLOSED'
  /** Cases that need a decision, most reporters first. */
  | 'OPEN';

/** A paid plan. */
export type PaidPlan =
  /** Unlimited messages. */
  | 'CREATOR'
  /** 500 messages per day. */
  | 'PLUS'
  /** 2,000 messages per day. */
  | 'PRO';

/** Plan of an account. */
export type Plan =
  /** Unlimited messages. */
  | 'CREATOR'
  /** Free of charge: 50 messages per day. */
  | 'FREE'
  /** 500 messages per day. */
  | 'PLUS'
  /** 2,000 messages per day. */
  | 'PRO';

/** Chat platform. */
export type Platform =
  /** Messenger bot (Telegram). */
  | 'CHAT_MESSENGER'
  /** Community server chat (Discord). */
  | 'CHAT_SERVER'
  /** Workspace chat (Slack). */
  | 'CHAT_WORKSPACE';

/** A message of a conversation preview, which is not stored. */
export type PreviewMessageInput = {
  /** 1 to 32,000 characters after trimming. */
  content: string;
  /** Author of the message. */
  role: MessageRole;
};

/** Changes to the public profile. Omitted fields keep their value; null removes the banner. */
export type ProfileInput = {
  /** URL of one of your images of the kind `banner`. */
  bannerUrl?: string | null | undefined;
  /** Whether others can see whom you follow. */
  showFollowing?: boolean | null | undefined;
  /** Whether the marketplace shows you mature agents. */
  showMature?: boolean | null | undefined;
  /** Visibility of the profile. */
  visibility?: ProfileVisibility | null | undefined;
};

/** Visibility of a profile. */
export type ProfileVisibility =
  /** Visible only to its owner; others get `not_found`. */
  | 'HIDDEN'
  /** Visible to everyone, including callers without a credential. */
  | 'PUBLIC';

/** A search in the documents of an agent. */
export type QueryKnowledgeInput = {
  /** Maximum number of passages, 1 to 50. Defaults to 5. */
  limit?: number | null | undefined;
  /** Search text, 1 to 2,000 characters. */
  query: string;
};

/** The deliveries to resend. */
export type RecoverDeliveriesInput = {
  /** Only deliveries created at or after this time. */
  since: string;
};

/** The reply of an agent’s owner to a review. */
export type ReplyInput = {
  /** At most 1,000 characters; null removes the reply. */
  text?: string | null | undefined;
};

/** A report. */
export type ReportInput = {
  /** Explanation, at most 2,000 characters. */
  comment?: string | null | undefined;
  /** E-mail address for questions; ignored if the request has a credential. */
  contactEmail?: string | null | undefined;
  /** Reason for the report. */
  reason: ReportReason;
  /** ID of the reported subject. A share can also be given by its token, an image by its URL. */
  subjectId: string | number;
  /** Kind of the reported subject. */
  subjectType: SubjectType;
};

/** Reason for a report. */
export type ReportReason =
  /** Infringes a copyright or a trademark. */
  | 'COPYRIGHT'
  /** Deceptive, for example impersonation. */
  | 'DECEPTION'
  /** Attacks a person. */
  | 'HARASSMENT'
  /** Hatred of a group of people. */
  | 'HATE'
  /** Illegal for another reason. */
  | 'ILLEGAL'
  /** Sexual content about minors. */
  | 'MINORS'
  /** Something else, explained in the comment. */
  | 'OTHER'
  /** Reveals private information. */
  | 'PRIVACY'
  /** Encourages self-harm. */
  | 'SELF_HARM'
  /** Sexual content where it is not allowed. */
  | 'SEXUAL'
  /** Spam. */
  | 'SPAM'
  /** Violence or a call for violence. */
  | 'VIOLENCE';

/** Outcome of a report. */
export type ReportStatus =
  /** Action was taken. */
  | 'ACTIONED'
  /** No action was needed. */
  | 'DISMISSED'
  /** Waiting for a decision. */
  | 'RECEIVED';

/** The reset token and the new password. */
export type ResetPasswordInput = {
  /** 8 to 128 characters; must differ from the e-mail address and the username. */
  newPassword: string;
  /** Token from the reset e-mail (`rst_…`). */
  token: string;
};

/** A warning about the results. */
export type ResultWarning =
  /** A challenger fails to reply more often than the control does. */
  | 'MORE_FAILURES'
  /** More people than expected were counted, and there is no verdict. */
  | 'PAST_EXPECTED_PEOPLE'
  /** The split of people does not match the weights. */
  | 'SAMPLE_RATIO_MISMATCH';

/** A review. */
export type ReviewInput = {
  /** Stars, 1 to 5. */
  rating: number;
  /** At most 1,000 characters. */
  text?: string | null | undefined;
};

/** Changes to an agent in a room. Only present fields change. */
export type RoomAgentPatch = {
  /** Whether the agent is silent unless a turn is requested. */
  muted?: boolean | null | undefined;
  /** Position in the order of the room, 1 to 1,000; the others shift. */
  position?: number | null | undefined;
};

/** Kind of author. */
export type RoomAuthorKind =
  /** An agent. */
  | 'AGENT'
  /** The service. */
  | 'SYSTEM'
  /** A person. */
  | 'USER';

/** Messages that new members can read. */
export type RoomHistory =
  /** All messages. */
  | 'ALL'
  /** Only messages from after joining. */
  | 'FROM_JOIN';

/** A new room. */
export type RoomInput = {
  /** Maximum length of a chain of replies between agents, 0 to 4. Defaults to 0. */
  agentHops?: number | null | undefined;
  /** Up to 300 characters. */
  description?: string | null | undefined;
  /** Defaults to `from_join`. */
  history?: RoomHistory | null | undefined;
  /** 1 to 80 characters. */
  name: string;
  /** Defaults to `sender`. */
  payer?: RoomPayer | null | undefined;
  /** Maximum number of replies to one message, 1 to 10. Defaults to 3. */
  repliesPerMessage?: number | null | undefined;
  /** Defaults to `mention`. */
  replyMode?: RoomReplyMode | null | undefined;
  /** Scenario that every agent gets, at most 4,000 characters. */
  scene?: string | null | undefined;
};

/** Changes to a member. Only present fields change. */
export type RoomMemberPatch = {
  /** End of a mute, until which the member cannot write; null ends it now. For moderators of the member. */
  mutedUntil?: string | null | undefined;
  /** `moderator` or `member`. For the owner. */
  role?: RoomRole | null | undefined;
  /** Whether the member’s presence is shown to others. Only for oneself. */
  showsPresence?: boolean | null | undefined;
  /** `removed` or `banned`; `left` lifts a ban. For moderators of the member. */
  state?: RoomMemberState | null | undefined;
};

/** State of a membership. */
export type RoomMemberState =
  /** Banned; invitations and links do not work. */
  | 'BANNED'
  /** Invited by name; not yet answered. */
  | 'INVITED'
  /** Joined. */
  | 'JOINED'
  /** Left, or declined. */
  | 'LEFT'
  /** Removed; can be invited again. */
  | 'REMOVED';

/** A message in a room. */
export type RoomMessageInput = {
  /** 1 to 8,000 characters. `@name` addresses an agent or a person; only the first five count. */
  content: string;
  /** ID of the message that it refers to. */
  replyTo?: string | number | null | undefined;
};

/** Changes to a room. Only present fields change. */
export type RoomPatch = {
  /** 0 to 4. */
  agentHops?: number | null | undefined;
  /** Up to 300 characters; null removes it. */
  description?: string | null | undefined;
  /** Messages that new members can read. */
  history?: RoomHistory | null | undefined;
  /** 1 to 80 characters. */
  name?: string | null | undefined;
  /** Whose messages the replies count against. */
  payer?: RoomPayer | null | undefined;
  /** 1 to 10. */
  repliesPerMessage?: number | null | undefined;
  /** Which agents answer. */
  replyMode?: RoomReplyMode | null | undefined;
  /** Scenario that every agent gets, at most 4,000 characters; null removes it. */
  scene?: string | null | undefined;
};

/** Whose messages a reply counts against. */
export type RoomPayer =
  /** The owner of the room. */
  | 'OWNER'
  /** The person who caused the reply. */
  | 'SENDER';

/** Which agents answer a person’s message. */
export type RoomReplyMode =
  /** The addressed agents, then all others in the order of the room. */
  | 'ALL'
  /** The addressed agents, and up to two chosen by a model. */
  | 'AUTO'
  /** The addressed agents. A person alone with one agent does not need to address it. */
  | 'MENTION'
  /** The addressed agents, or else the next one in the order of the room. */
  | 'ROTATE';

/** Role in a room. */
export type RoomRole =
  /** Reads and writes. */
  | 'MEMBER'
  /** Invites people and manages members, messages, agents and turns. */
  | 'MODERATOR'
  /** Has all permissions. */
  | 'OWNER';

/** State of a turn. */
export type RoomTurnState =
  /** The reply is stored. */
  | 'COMPLETE'
  /** Exceeded the limits of its message or of the queue. */
  | 'DROPPED'
  /** Failed because of the model or the service. */
  | 'FAILED'
  /** Waiting for earlier turns. */
  | 'QUEUED'
  /** The payer’s daily messages are used up, or the agent was deleted. Visible only to the person who caused it. */
  | 'REFUSED'
  /** The reply is being written. */
  | 'RUNNING'
  /** Stopped; the text written so far is stored. */
  | 'STOPPED';

/** How to retire the old key. */
export type RotateApiKeyInput = {
  /** How long the old key stays valid, 0 to 604,800 seconds. Defaults to 0. */
  overlapSeconds?: number | null | undefined;
};

/** Permission of an API key. A write scope includes the read scope. */
export type Scope =
  /** Read the account. */
  | 'ACCOUNT_READ'
  /** Read and change the account. */
  | 'ACCOUNT_WRITE'
  /** Read agents. */
  | 'AGENTS_READ'
  /** Read and change agents. */
  | 'AGENTS_WRITE'
  /** Read billing. */
  | 'BILLING_READ'
  /** Read and change billing. */
  | 'BILLING_WRITE'
  /** Read conversations. */
  | 'CONVERSATIONS_READ'
  /** Read and change conversations. */
  | 'CONVERSATIONS_WRITE'
  /** Use embeddings. */
  | 'EMBEDDINGS_USE'
  /** Read embeds. */
  | 'EMBEDS_READ'
  /** Read and change embeds. */
  | 'EMBEDS_WRITE'
  /** Read images. */
  | 'IMAGES_READ'
  /** Read and change images. */
  | 'IMAGES_WRITE'
  /** Read integrations. */
  | 'INTEGRATIONS_READ'
  /** Read and change integrations. */
  | 'INTEGRATIONS_WRITE'
  /** Read knowledge. */
  | 'KNOWLEDGE_READ'
  /** Read and change knowledge. */
  | 'KNOWLEDGE_WRITE'
  /** Read rooms. */
  | 'ROOMS_READ'
  /** Read and change rooms. */
  | 'ROOMS_WRITE'
  /** Read social. */
  | 'SOCIAL_READ'
  /** Read and change social. */
  | 'SOCIAL_WRITE'
  /** Read studio. */
  | 'STUDIO_READ'
  /** Read and change studio. */
  | 'STUDIO_WRITE'
  /** Use voice. */
  | 'VOICE_USE'
  /** Read webhooks. */
  | 'WEBHOOKS_READ'
  /** Read and change webhooks. */
  | 'WEBHOOKS_WRITE';

/** The key that sends a message. */
export type SendKey =
  /** Ctrl+Enter (Cmd+Enter) sends; Enter starts a new line. */
  | 'CTRL_ENTER'
  /** Enter sends; Shift+Enter starts a new line. */
  | 'ENTER';

/** What to share. */
export type ShareInput = {
  /** ID of a public agent, for the type `agent`. */
  agentId?: string | number | null | undefined;
  /** Whether to hide the sharer. Defaults to true for a conversation and false for an agent. */
  anonymous?: boolean | null | undefined;
  /** ID of one of your conversations, for the type `conversation`. */
  conversationId?: string | number | null | undefined;
  /** Whether it appears in the feeds of followers. Cannot be combined with `anonymous`. Defaults to false. */
  inFeed?: boolean | null | undefined;
  /** Whether search engines may index it. Defaults to false. */
  indexable?: boolean | null | undefined;
  /** Shares only these messages, 1 to 200. */
  messageIds?: Array<string | number> | null | undefined;
  /** Note, 1 to 500 characters. */
  note?: string | null | undefined;
  /** Title, 1 to 200 characters. */
  title?: string | null | undefined;
  /** Kind of the content to share. */
  type: ShareType;
  /** Shares the messages up to this one, at most 200. Defaults to all of the active branch. */
  upToMessageId?: string | number | null | undefined;
};

/** Kind of shared content. */
export type ShareType =
  /** A public agent. */
  | 'AGENT'
  /** A copy of messages of a conversation, made at the time of sharing. */
  | 'CONVERSATION';

/** Interval of a series. */
export type StatsBucket =
  /** Days in UTC, at most 31. */
  | 'DAY'
  /** Clock hours, at most 168. */
  | 'HOUR';

/** Kind of a subject that can be reported. */
export type SubjectType =
  /** An agent with its listing. */
  | 'AGENT'
  /** An image. */
  | 'IMAGE'
  /** A review of an agent. */
  | 'REVIEW'
  /** A room. */
  | 'ROOM'
  /** A message in a room. */
  | 'ROOM_MESSAGE'
  /** A shared agent or conversation. */
  | 'SHARE'
  /** An account, through its profile. */
  | 'USER';

/** Billing status of a subscription. */
export type SubscriptionStatus =
  /** Paid, or on the free plan. */
  | 'ACTIVE'
  /** Ended. */
  | 'CANCELED'
  /** The first payment has not succeeded. The limits of the free plan apply. */
  | 'INCOMPLETE'
  /** A payment failed. The plan stays active for seven days. */
  | 'PAST_DUE'
  /** Ended after failed payments. The limits of the free plan apply. */
  | 'UNPAID';

/** The event to send. */
export type TestWebhookInput = {
  /** Event type, subscribed or not. Defaults to the first subscribed one. */
  eventType?: WebhookEventType | null | undefined;
};

/** Colour theme of the console. */
export type Theme =
  /** Always dark. */
  | 'DARK'
  /** Always light. */
  | 'LIGHT'
  /** Follows the operating system. */
  | 'SYSTEM';

/** Changes to an agent. Omitted fields keep their value; null clears a nullable field. */
export type UpdateAgentInput = {
  /** URL of a square image, 256×256 pixels or larger. */
  avatarUrl?: string | null | undefined;
  /** Category of the agent, by which users can find it. */
  category?: AgentCategory | null | undefined;
  /** Short description, at most 300 characters. */
  description?: string | null | undefined;
  /** First message of every new conversation, at most 2,000 characters. */
  greetingMessage?: string | null | undefined;
  /** System prompt, 1 to 32,000 characters. */
  instructions?: string | null | undefined;
  /** Whether other users can find the agent and chat with it. */
  isPublic?: boolean | null | undefined;
  /** Language model that writes the replies. */
  model?: ModelId | null | undefined;
  /** Display name, 1 to 80 characters. */
  name?: string | null | undefined;
  /** Voice that speaks the agent’s messages. */
  voiceId?: VoiceId | null | undefined;
};

/** Changes to an embed. Omitted fields keep their value. */
export type UpdateEmbedInput = {
  /** Whether the embed accepts visitors. */
  active?: boolean | null | undefined;
  /** 1 to 20 websites that may show it. */
  allowedOrigins?: Array<string> | null | undefined;
  /** Appearance of the chat. */
  appearance?: EmbedAppearanceInput | null | undefined;
  /** Challenge for new visitors. */
  challenge?: EmbedChallenge | null | undefined;
  /** Secret of the challenge. It is stored encrypted and never returned. */
  challengeSecret?: string | null | undefined;
  /** Site key of the challenge; null to use the service’s key. */
  challengeSiteKey?: string | null | undefined;
  /** Whether visitors are identified. */
  identity?: EmbedIdentity | null | undefined;
  /** Message limits. */
  limits?: EmbedLimitsInput | null | undefined;
  /** Name, 1 to 80 characters. */
  name?: string | null | undefined;
  /** Notice shown before the first message, at most 1,000 characters; null for the default. */
  notice?: string | null | undefined;
  /** Days, 1 to 365, after which inactive visitors are erased. */
  retentionDays?: number | null | undefined;
  /** Whether `http://localhost` may be an allowed origin. */
  test?: boolean | null | undefined;
};

/** Changes to an integration. Omitted fields keep their value. */
export type UpdateIntegrationInput = {
  /** true connects the integration, false disconnects it. */
  active?: boolean | null | undefined;
  /** Whether the agent replies to every message or only when it is mentioned. */
  autoRespond?: boolean | null | undefined;
  /** IDs of 1 to 100 channels; ignored for chat_messenger. */
  channelIds?: Array<string> | null | undefined;
};

/** Changes to the preferences. Omitted fields keep their value; null resets one. */
export type UpdatePreferencesInput = {
  /** Display density. */
  density?: Density | null | undefined;
  /** Whether the view scrolls with a reply while it is written. */
  followReplies?: boolean | null | undefined;
  /** Language tag (BCP 47) of at most 35 characters, such as `en` or `de-CH`. */
  language?: string | null | undefined;
  /** Whether replies are read aloud. */
  readAloud?: boolean | null | undefined;
  /** Whether motion is reduced regardless of the operating system’s setting. */
  reduceMotion?: boolean | null | undefined;
  /** The key that sends a message. */
  sendKey?: SendKey | null | undefined;
  /** Whether single-key shortcuts are enabled. */
  singleKeys?: boolean | null | undefined;
  /** Colour scheme. */
  theme?: Theme | null | undefined;
};

/** Changes to the profile. Omitted fields keep their value; null clears a nullable field. */
export type UpdateProfileInput = {
  /** HTTP or HTTPS URL of at most 2,048 characters. */
  avatarUrl?: string | null | undefined;
  /** At most 500 characters. */
  bio?: string | null | undefined;
  /** At most 80 characters. */
  displayName?: string | null | undefined;
  /** 3 to 64 characters of `A-Z a-z 0-9 . _ -`, unique. */
  username?: string | null | undefined;
};

/** Changes to a webhook. Omitted fields keep their value. */
export type UpdateWebhookInput = {
  /** false disables the webhook; true enables it again. */
  active?: boolean | null | undefined;
  /** Description to identify it; null or an empty text removes it. */
  description?: string | null | undefined;
  /** One or more event types to deliver. */
  events?: Array<WebhookEventType> | null | undefined;
  /** HTTPS URL of the endpoint. A new URL enables a disabled webhook again. Port 443, or from 1024 on except those of databases and caches (1433, 1521, 3306, 5432, 5984, 6379, 9042, 9200, 11211, 27017). */
  url?: string | null | undefined;
};

/** Verdict of an experiment. It can be read at any time. */
export type Verdict =
  /** A challenger beats the control. */
  | 'BETTER'
  /** Not enough people or days yet. */
  | 'COLLECTING'
  /** The split of people does not match the weights, so nothing can be concluded. */
  | 'INVALID'
  /** No difference is significant yet. */
  | 'NO_DIFFERENCE_YET'
  /** The control beats every challenger. */
  | 'WORSE';

/** The verification token. */
export type VerifyEmailInput = {
  /** Token from the verification e-mail (`vt_…`), or from the mail to a new address (`ect_…`). */
  token: string;
};

/** Reason for the creation of a version. */
export type VersionOrigin =
  /** Created when the agent was copied. */
  | 'COPY'
  /** Created with the agent. */
  | 'CREATED'
  /** Created as a draft. */
  | 'DRAFT'
  /** Created by a change to the agent. */
  | 'EDIT'
  /** Created for an experiment. */
  | 'EXPERIMENT';

/** Voice for speech synthesis. */
export type VoiceId =
  /** Neutral. */
  | 'ALLOY'
  /** Warm. */
  | 'ECHO'
  /** Expressive. */
  | 'FABLE'
  /** Bright. */
  | 'NOVA'
  /** Deep. */
  | 'ONYX'
  /** Soft. */
  | 'SHIMMER';

/** Type of an event. */
export type WebhookEventType =
  /** An agent was created. data is the agent as its owner sees it. */
  | 'AGENT_CREATED'
  /** An agent was deleted, along with its conversations, documents and integrations. */
  | 'AGENT_DELETED'
  /** Users liked an agent since its last event of this type. Sent at most once a minute per agent. */
  | 'AGENT_LIKED'
  /** An agent became public, through a change or at its creation (then after agent.created). */
  | 'AGENT_PUBLISHED'
  /** A public agent is no longer listed: its owner made it private or is deleting the account, or moderators removed it. */
  | 'AGENT_UNPUBLISHED'
  /** An agent was changed. data is the agent after the change. */
  | 'AGENT_UPDATED'
  /** The behaviour of an agent was changed, or a draft was created. data is the version. */
  | 'AGENT_VERSION_CREATED'
  /** A version of an agent became live. data is the version. */
  | 'AGENT_VERSION_PUBLISHED'
  /** A conversation was started. data is the conversation. */
  | 'CONVERSATION_CREATED'
  /** A conversation was deleted. data is the conversation as it was. */
  | 'CONVERSATION_DELETED'
  /** A visitor of a website sent the first message of a conversation. */
  | 'EMBED_CONVERSATION_STARTED'
  /** An embed refused a message because of one of its limits, for the first time that day. */
  | 'EMBED_LIMIT_REACHED'
  /** An experiment ended. data is the experiment with its verdict at that time. */
  | 'EXPERIMENT_ENDED'
  /** An experiment with an agent was started. data is the experiment. */
  | 'EXPERIMENT_STARTED'
  /** A requested image could not be generated; it does not count against the daily limit. */
  | 'IMAGE_FAILED'
  /** A requested image was generated. data is the image as its owner sees it. */
  | 'IMAGE_READY'
  /** The connection to the chat platform is up. data is the integration. */
  | 'INTEGRATION_CONNECTED'
  /** An integration was deleted or disabled. */
  | 'INTEGRATION_DISCONNECTED'
  /** The connection failed; error gives the reason. */
  | 'INTEGRATION_ERROR'
  /** A message was stored. Sent once for each user message, reply and greeting. With broken: true it is what was shown of a reply that failed. */
  | 'MESSAGE_CREATED'
  /** A reply failed. message_id is the message that got no reply. What was shown of the reply follows as message.created with broken: true. */
  | 'MESSAGE_FAILED'
  /** A moderation decision was made about your content or your account. data is the decision. */
  | 'MODERATION_DECIDED'
  /** Someone reviewed one of your agents for the first time. data is the review. */
  | 'REVIEW_CREATED'
  /** A room was created. */
  | 'ROOM_CREATED'
  /** A room was deleted by its owner, or because the last person left. */
  | 'ROOM_DELETED'
  /** A person joined one of your rooms. */
  | 'ROOM_MEMBER_JOINED'
  /** A person left one of your rooms, or was removed or banned; state shows which. */
  | 'ROOM_MEMBER_LEFT'
  /** A person or an agent wrote a message in one of your rooms. */
  | 'ROOM_MESSAGE_CREATED'
  /** A room of yours has another owner, or a room has become yours: you accepted it, or its owner left. */
  | 'ROOM_TRANSFERRED'
  /** The owner of a room offers it to you. You become its owner only if you accept. */
  | 'ROOM_TRANSFER_OFFERED'
  /** You shared an agent or a conversation. data is the share without its link. */
  | 'SHARE_CREATED'
  /** A cancellation was accepted. The subscription stays active until cancel_at. */
  | 'SUBSCRIPTION_CANCELLED'
  /** A paid subscription started. data is the subscription. */
  | 'SUBSCRIPTION_CREATED'
  /** The plan, period or status of the subscription changed, including a return to the free plan. */
  | 'SUBSCRIPTION_UPDATED'
  /** Users followed you since the last event of this type. Sent at most once a minute. */
  | 'USER_FOLLOWED';

export type AccountPartsFragment = { me: { id: string, email: string, username: string, displayName: string | null, emailVerified: boolean, plan: Plan, isModerator: boolean, picture: { small: string, medium: string } | null }, subscription: { status: SubscriptionStatus }, service: { now: string }, recentEvents: { data: Array<{ id: string }> } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, email: string, username: string, displayName: string | null, emailVerified: boolean, plan: Plan, isModerator: boolean, picture: { small: string, medium: string } | null }, subscription: { status: SubscriptionStatus }, service: { now: string }, recentEvents: { data: Array<{ id: string }> } };

export type UsageQueryVariables = Exact<{ [key: string]: never; }>;


export type UsageQuery = { usage: { plan: Plan, periodEnd: string, usage: { messagesSent: number, messagesLimit: number, agentsCreated: number, agentsLimit: number, knowledgeDocs: number, knowledgeLimit: number, storedMegabytes: number, storedMegabytesLimit: number } } };

export type ForgotPasswordMutationVariables = Exact<{
  input: ForgotPasswordInput;
}>;


export type ForgotPasswordMutation = { forgotPassword: { message: string } };

export type ResetPasswordMutationVariables = Exact<{
  input: ResetPasswordInput;
}>;


export type ResetPasswordMutation = { resetPassword: { message: string } };

export type VerifyEmailMutationVariables = Exact<{
  input: VerifyEmailInput;
}>;


export type VerifyEmailMutation = { verifyEmail: { emailVerified: boolean } };

export type ResendVerificationMutationVariables = Exact<{ [key: string]: never; }>;


export type ResendVerificationMutation = { resendVerification: { message: string } };

export type ServiceQueryVariables = Exact<{ [key: string]: never; }>;


export type ServiceQuery = { service: { profile: string, mailOutboxUrl: string | null, simulatedPlatforms: boolean, embeddings: EmbeddingSource, limits: { messageCharacters: number, documentBytes: number, audioBytes: number } } };

export type AgentFieldsFragment = { id: string, name: string, description: string | null, instructions: string | null, model: ModelId, voiceId: VoiceId | null, category: AgentCategory | null, greetingMessage: string | null, isPublic: boolean, messageCount: number, creatorId: string, documentCount: number | null, updatedAt: string, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null };

export type AgentsQueryVariables = Exact<{
  sort?: AgentSort | null | undefined;
  after?: string | null | undefined;
}>;


export type AgentsQuery = { agents: { data: Array<{ id: string, name: string, description: string | null, instructions: string | null, model: ModelId, voiceId: VoiceId | null, category: AgentCategory | null, greetingMessage: string | null, isPublic: boolean, messageCount: number, creatorId: string, documentCount: number | null, updatedAt: string, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type AgentQueryVariables = Exact<{
  id: string | number;
}>;


export type AgentQuery = { agent: { id: string, name: string, description: string | null, instructions: string | null, model: ModelId, voiceId: VoiceId | null, category: AgentCategory | null, greetingMessage: string | null, isPublic: boolean, messageCount: number, creatorId: string, documentCount: number | null, updatedAt: string, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } };

export type AgentChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type AgentChoicesQuery = { models: { data: Array<{ id: ModelId, name: string, description: string }> }, voices: { data: Array<{ id: VoiceId, name: string, description: string }> } };

export type CreateAgentMutationVariables = Exact<{
  input: CreateAgentInput;
}>;


export type CreateAgentMutation = { createAgent: { id: string, name: string, description: string | null, instructions: string | null, model: ModelId, voiceId: VoiceId | null, category: AgentCategory | null, greetingMessage: string | null, isPublic: boolean, messageCount: number, creatorId: string, documentCount: number | null, updatedAt: string, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } };

export type UpdateAgentMutationVariables = Exact<{
  id: string | number;
  input: UpdateAgentInput;
}>;


export type UpdateAgentMutation = { updateAgent: { id: string, name: string, description: string | null, instructions: string | null, model: ModelId, voiceId: VoiceId | null, category: AgentCategory | null, greetingMessage: string | null, isPublic: boolean, messageCount: number, creatorId: string, documentCount: number | null, updatedAt: string, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } };

export type DeleteAgentMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteAgentMutation = { deleteAgent: { id: string } };

export type PreviewStreamSubscriptionVariables = Exact<{
  agent: CreateAgentInput;
  messages: Array<PreviewMessageInput> | PreviewMessageInput;
  agentId?: string | number | null | undefined;
}>;


export type PreviewStreamSubscription = { previewStream:
    | { __typename: 'PreviewDelta', content: string, end: number }
    | { __typename: 'PreviewDone' }
    | { __typename: 'PreviewError', code: string, message: string }
   };

export type ApiKeyFieldsFragment = { id: string, name: string, keyHint: string, scopes: Array<Scope>, lastUsedAt: string | null, expiresAt: string | null, createdAt: string };

export type ApiKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type ApiKeysQuery = { apiKeys: { data: Array<{ id: string, name: string, keyHint: string, scopes: Array<Scope>, lastUsedAt: string | null, expiresAt: string | null, createdAt: string }> } };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { createApiKey: { id: string, key: string, scopes: Array<Scope> } };

export type RotateApiKeyMutationVariables = Exact<{
  id: string | number;
  input?: RotateApiKeyInput | null | undefined;
}>;


export type RotateApiKeyMutation = { rotateApiKey: { id: string, key: string, scopes: Array<Scope> } };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeApiKeyMutation = { revokeApiKey: { id: string } };

export type LiveEventsSubscriptionVariables = Exact<{
  after?: string | number | null | undefined;
}>;


export type LiveEventsSubscription = { events: { id: string, type: WebhookEventType, createdAt: string, data: Record<string, unknown> } };

export type PlansQueryVariables = Exact<{ [key: string]: never; }>;


export type PlansQuery = { plans: { data: Array<{ plan: Plan, features: Array<string>, prices: Array<{ interval: BillingInterval, amount: number, currency: string }> }> } };

export type SubscriptionQueryVariables = Exact<{ [key: string]: never; }>;


export type SubscriptionQuery = { subscription: { id: string, plan: Plan, status: SubscriptionStatus, interval: BillingInterval, currentPeriodStart: string, currentPeriodEnd: string, cancelAt: string | null, pendingPlan: PaidPlan | null, pendingInterval: BillingInterval | null, processorCustomerId: string | null } };

export type PaymentMethodQueryVariables = Exact<{ [key: string]: never; }>;


export type PaymentMethodQuery = { subscription: { id: string, paymentMethod: { brand: string, last4: string | null, expires: { month: number, year: number } | null } | null } };

export type InvoicesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type InvoicesQuery = { invoices: { data: Array<{ id: string, number: string, amount: number, currency: string, status: InvoiceStatus, plan: PaidPlan, periodStart: string, periodEnd: string, invoicePdf: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type PreviewSubscriptionChangeQueryVariables = Exact<{
  plan: PaidPlan;
  interval?: BillingInterval | null | undefined;
}>;


export type PreviewSubscriptionChangeQuery = { previewSubscriptionChange: { plan: PaidPlan, currentPlan: Plan, interval: BillingInterval, prorationAmount: number, prorationCurrency: string, nextAmount: number | null, nextPaymentAt: string, effectiveAt: string | null, resumes: boolean } };

export type CreateCheckoutMutationVariables = Exact<{
  input: CheckoutInput;
}>;


export type CreateCheckoutMutation = { createCheckout: { checkoutUrl: string } };

export type ChangeSubscriptionMutationVariables = Exact<{
  input: ChangeSubscriptionInput;
}>;


export type ChangeSubscriptionMutation = { changeSubscription: { id: string } };

export type CancelSubscriptionMutationVariables = Exact<{ [key: string]: never; }>;


export type CancelSubscriptionMutation = { cancelSubscription: { message: string } };

export type ResumeSubscriptionMutationVariables = Exact<{ [key: string]: never; }>;


export type ResumeSubscriptionMutation = { resumeSubscription: { id: string } };

export type CreatePortalSessionMutationVariables = Exact<{ [key: string]: never; }>;


export type CreatePortalSessionMutation = { createPortalSession: { portalUrl: string } };

type ReplyEvent_MessageDelta_Fragment = { __typename: 'MessageDelta', generationId: string, content: string, end: number };

type ReplyEvent_MessageDone_Fragment = { __typename: 'MessageDone', messageId: string | null, userMessageId: string, generationId: string, stopped: boolean };

type ReplyEvent_MessageError_Fragment = { __typename: 'MessageError', generationId: string, code: string, message: string, retryAfterSeconds: number | null, messageId: string | null };

export type ReplyEventFragment =
  | ReplyEvent_MessageDelta_Fragment
  | ReplyEvent_MessageDone_Fragment
  | ReplyEvent_MessageError_Fragment
;

export type MessageStreamSubscriptionVariables = Exact<{
  conversationId: string | number;
  content: string;
}>;


export type MessageStreamSubscription = { messageStream:
    | { __typename: 'MessageDelta', generationId: string, content: string, end: number }
    | { __typename: 'MessageDone', messageId: string | null, userMessageId: string, generationId: string, stopped: boolean }
    | { __typename: 'MessageError', generationId: string, code: string, message: string, retryAfterSeconds: number | null, messageId: string | null }
   };

export type RegenerateStreamSubscriptionVariables = Exact<{
  conversationId: string | number;
  messageId: string | number;
}>;


export type RegenerateStreamSubscription = { regenerateStream:
    | { __typename: 'MessageDelta', generationId: string, content: string, end: number }
    | { __typename: 'MessageDone', messageId: string | null, userMessageId: string, generationId: string, stopped: boolean }
    | { __typename: 'MessageError', generationId: string, code: string, message: string, retryAfterSeconds: number | null, messageId: string | null }
   };

export type EditStreamSubscriptionVariables = Exact<{
  conversationId: string | number;
  messageId: string | number;
  content: string;
}>;


export type EditStreamSubscription = { editStream:
    | { __typename: 'MessageDelta', generationId: string, content: string, end: number }
    | { __typename: 'MessageDone', messageId: string | null, userMessageId: string, generationId: string, stopped: boolean }
    | { __typename: 'MessageError', generationId: string, code: string, message: string, retryAfterSeconds: number | null, messageId: string | null }
   };

export type GenerationStreamSubscriptionVariables = Exact<{
  conversationId: string | number;
  generationId: string | number;
  from?: number | null | undefined;
}>;


export type GenerationStreamSubscription = { generationStream:
    | { __typename: 'MessageDelta', generationId: string, content: string, end: number }
    | { __typename: 'MessageDone', messageId: string | null, userMessageId: string, generationId: string, stopped: boolean }
    | { __typename: 'MessageError', generationId: string, code: string, message: string, retryAfterSeconds: number | null, messageId: string | null }
   };

export type RunningGenerationQueryVariables = Exact<{
  id: string | number;
}>;


export type RunningGenerationQuery = { conversation: { id: string, generation: { id: string, state: GenerationState } | null } };

export type ThreadMessageFragment = { id: string, role: MessageRole, content: string, broken: boolean | null, createdAt: string, branchIds: Array<string>, feedback: { rating: FeedbackRating, comment: string | null, sharedAt: string | null } | null, citations: Array<{ chunkId: string, documentId: string, filename: string, chunkIndex: number, place: string | null, excerpt: string | null, marks: Array<number> }> | null, generation: { stopped: boolean, durationMs: number | null, usage: { inputTokens: number, outputTokens: number } | null, error: { message: string } | null } | null };

export type ConversationsQueryVariables = Exact<{
  limit?: number | null | undefined;
  after?: string | null | undefined;
  filter?: ConversationFilter | null | undefined;
}>;


export type ConversationsQuery = { conversations: { data: Array<{ id: string, title: string | null, updatedAt: string, pinnedAt: string | null, lastMessage: { excerpt: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ConversationPartsFragment = { conversation: { id: string, title: string | null, pinnedAt: string | null, archivedAt: string | null, agentId: string, agent: { id: string, name: string, description: string | null, creatorId: string, isMine: boolean, voiceId: VoiceId | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, generation: { id: string, state: GenerationState, userMessageId: string, error: { code: string, message: string } | null } | null } };

export type ConversationQueryVariables = Exact<{
  id: string | number;
}>;


export type ConversationQuery = { conversation: { id: string, title: string | null, pinnedAt: string | null, archivedAt: string | null, agentId: string, agent: { id: string, name: string, description: string | null, creatorId: string, isMine: boolean, voiceId: VoiceId | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, generation: { id: string, state: GenerationState, userMessageId: string, error: { code: string, message: string } | null } | null } };

export type MessagesPartsFragment = { messages: { startCursor: string | null, hasNewer: boolean, data: Array<{ id: string, role: MessageRole, content: string, broken: boolean | null, createdAt: string, branchIds: Array<string>, feedback: { rating: FeedbackRating, comment: string | null, sharedAt: string | null } | null, citations: Array<{ chunkId: string, documentId: string, filename: string, chunkIndex: number, place: string | null, excerpt: string | null, marks: Array<number> }> | null, generation: { stopped: boolean, durationMs: number | null, usage: { inputTokens: number, outputTokens: number } | null, error: { message: string } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type MessagesQueryVariables = Exact<{
  conversationId: string | number;
  limit?: number | null | undefined;
  after?: string | null | undefined;
  newerThan?: string | null | undefined;
  around?: string | number | null | undefined;
}>;


export type MessagesQuery = { messages: { startCursor: string | null, hasNewer: boolean, data: Array<{ id: string, role: MessageRole, content: string, broken: boolean | null, createdAt: string, branchIds: Array<string>, feedback: { rating: FeedbackRating, comment: string | null, sharedAt: string | null } | null, citations: Array<{ chunkId: string, documentId: string, filename: string, chunkIndex: number, place: string | null, excerpt: string | null, marks: Array<number> }> | null, generation: { stopped: boolean, durationMs: number | null, usage: { inputTokens: number, outputTokens: number } | null, error: { message: string } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type OpenConversationQueryVariables = Exact<{
  id: string | number;
  conversationId: string | number;
  limit?: number | null | undefined;
  after?: string | null | undefined;
  newerThan?: string | null | undefined;
  around?: string | number | null | undefined;
}>;


export type OpenConversationQuery = { me: { id: string, email: string, username: string, displayName: string | null, emailVerified: boolean, plan: Plan, isModerator: boolean, picture: { small: string, medium: string } | null }, subscription: { status: SubscriptionStatus }, service: { now: string }, recentEvents: { data: Array<{ id: string }> }, conversation: { id: string, title: string | null, pinnedAt: string | null, archivedAt: string | null, agentId: string, agent: { id: string, name: string, description: string | null, creatorId: string, isMine: boolean, voiceId: VoiceId | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, generation: { id: string, state: GenerationState, userMessageId: string, error: { code: string, message: string } | null } | null }, messages: { startCursor: string | null, hasNewer: boolean, data: Array<{ id: string, role: MessageRole, content: string, broken: boolean | null, createdAt: string, branchIds: Array<string>, feedback: { rating: FeedbackRating, comment: string | null, sharedAt: string | null } | null, citations: Array<{ chunkId: string, documentId: string, filename: string, chunkIndex: number, place: string | null, excerpt: string | null, marks: Array<number> }> | null, generation: { stopped: boolean, durationMs: number | null, usage: { inputTokens: number, outputTokens: number } | null, error: { message: string } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CreateConversationMutationVariables = Exact<{
  input: CreateConversationInput;
}>;


export type CreateConversationMutation = { createConversation: { id: string } };

export type RenameConversationMutationVariables = Exact<{
  id: string | number;
  title: string;
}>;


export type RenameConversationMutation = { updateConversation: { id: string, title: string | null } };

export type ArrangeConversationMutationVariables = Exact<{
  id: string | number;
  pinned?: boolean | null | undefined;
  archived?: boolean | null | undefined;
}>;


export type ArrangeConversationMutation = { updateConversation: { id: string, pinnedAt: string | null, archivedAt: string | null } };

export type DeleteConversationMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteConversationMutation = { deleteConversation: { id: string } };

export type StopGenerationMutationVariables = Exact<{
  conversationId: string | number;
}>;


export type StopGenerationMutation = { stopGeneration: { stopped: boolean } };

export type ActivateMessageMutationVariables = Exact<{
  conversationId: string | number;
  messageId: string | number;
}>;


export type ActivateMessageMutation = { activateMessage: { conversationId: string } };

export type GiveFeedbackMutationVariables = Exact<{
  conversationId: string | number;
  messageId: string | number;
  input: FeedbackInput;
}>;


export type GiveFeedbackMutation = { giveFeedback: { rating: FeedbackRating, comment: string | null, sharedAt: string | null } };

export type ExportConversationQueryVariables = Exact<{
  conversationId: string | number;
  format: ExportFormat;
}>;


export type ExportConversationQuery = { exportConversation: string };

export type ConversationAgentsQueryVariables = Exact<{ [key: string]: never; }>;


export type ConversationAgentsQuery = { conversations: { data: Array<{ id: string, agent: { id: string, name: string, isMine: boolean } | null }> } };

export type SearchConversationsQueryVariables = Exact<{
  q: string;
  limit?: number | null | undefined;
  after?: string | null | undefined;
  agentId?: string | number | null | undefined;
  since?: string | null | undefined;
}>;


export type SearchConversationsQuery = { searchConversations: { hasMore: boolean, total: number, data: Array<{ highlight: string, conversation: { id: string, title: string | null }, message: { id: string, role: MessageRole, createdAt: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type MyChatAgentsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MyChatAgentsQuery = { agents: { data: Array<{ id: string, name: string, description: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type PublicChatAgentsQueryVariables = Exact<{
  q?: string | null | undefined;
}>;


export type PublicChatAgentsQuery = { exploreAgents: { data: Array<{ id: string, name: string, description: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }> } };

export type ChatAgentQueryVariables = Exact<{
  id: string | number;
}>;


export type ChatAgentQuery = { agent: { id: string, name: string, description: string | null, greetingMessage: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } };

export type EmbedFieldsFragment = { id: string, agentId: string, name: string, active: boolean, allowedOrigins: Array<string>, test: boolean, identity: EmbedIdentity, challenge: EmbedChallenge, challengeSiteKey: string | null, retentionDays: number, notice: string | null, messageCount: number, visitorCount: number, snippet: string, limits: { perDay: number, perVisitorDay: number, perAddressHour: number }, appearance: { title: string | null, color: string, position: EmbedPosition, avatar: boolean, starters: Array<string>, language: string | null, dark: EmbedTheme } };

export type EmbedsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type EmbedsQuery = { embeds: { total: number, data: Array<{ id: string, agentId: string, name: string, active: boolean, allowedOrigins: Array<string>, messageCount: number, visitorCount: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type EmbedQueryVariables = Exact<{
  id: string | number;
}>;


export type EmbedQuery = { embed: { id: string, agentId: string, name: string, active: boolean, allowedOrigins: Array<string>, test: boolean, identity: EmbedIdentity, challenge: EmbedChallenge, challengeSiteKey: string | null, retentionDays: number, notice: string | null, messageCount: number, visitorCount: number, snippet: string, limits: { perDay: number, perVisitorDay: number, perAddressHour: number }, appearance: { title: string | null, color: string, position: EmbedPosition, avatar: boolean, starters: Array<string>, language: string | null, dark: EmbedTheme } } };

export type EmbedStatsQueryVariables = Exact<{
  id: string | number;
  days?: number | null | undefined;
}>;


export type EmbedStatsQuery = { embedStats: { days: Array<{ date: string, visitors: number, messages: number, cost: number, refused: { perDay: number, perVisitorDay: number, perAddressHour: number }, identityFaults: Array<{ fault: EmbedIdentityFault, count: number }> }> } };

export type EmbedVisitorsQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type EmbedVisitorsQuery = { embedVisitors: { total: number, data: Array<{ id: string, externalId: string | null, name: string | null, conversationId: string | null, createdAt: string, lastSeenAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CreateEmbedMutationVariables = Exact<{
  input: CreateEmbedInput;
}>;


export type CreateEmbedMutation = { createEmbed: { id: string, identitySecret: string | null } };

export type UpdateEmbedMutationVariables = Exact<{
  id: string | number;
  input: UpdateEmbedInput;
}>;


export type UpdateEmbedMutation = { updateEmbed: { id: string, agentId: string, name: string, active: boolean, allowedOrigins: Array<string>, test: boolean, identity: EmbedIdentity, challenge: EmbedChallenge, challengeSiteKey: string | null, retentionDays: number, notice: string | null, messageCount: number, visitorCount: number, snippet: string, limits: { perDay: number, perVisitorDay: number, perAddressHour: number }, appearance: { title: string | null, color: string, position: EmbedPosition, avatar: boolean, starters: Array<string>, language: string | null, dark: EmbedTheme } } };

export type DeleteEmbedMutationVariables = Exact<{
  id: string | number;
  keepConversations?: boolean | null | undefined;
}>;


export type DeleteEmbedMutation = { deleteEmbed: { id: string } };

export type RotateEmbedSecretMutationVariables = Exact<{
  id: string | number;
}>;


export type RotateEmbedSecretMutation = { rotateEmbedSecret: { id: string, identitySecret: string | null } };

export type DeleteEmbedVisitorMutationVariables = Exact<{
  id: string | number;
  visitorId: string | number;
}>;


export type DeleteEmbedVisitorMutation = { deleteEmbedVisitor: { id: string } };

export type RecentEventsQueryVariables = Exact<{
  types?: Array<WebhookEventType> | WebhookEventType | null | undefined;
  before?: string | number | null | undefined;
}>;


export type RecentEventsQuery = { recentEvents: { data: Array<{ id: string, type: WebhookEventType, createdAt: string, data: Record<string, unknown> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type AuthorFragment = { username: string, displayName: string | null };

export type ExploreQueryVariables = Exact<{
  category?: AgentCategory | null | undefined;
  sort?: ExploreSort | null | undefined;
  q?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ExploreQuery = { exploreAgents: { data: Array<{ id: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { username: string, displayName: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ExploredAgentQueryVariables = Exact<{
  id: string | number;
}>;


export type ExploredAgentQuery = { agent: { id: string, name: string, description: string | null, category: AgentCategory | null, greetingMessage: string | null, messageCount: number, createdAt: string, isMine: boolean, isPublic: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { username: string, displayName: string | null } | null } };

export type PicturePartsFragment = { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean };

export type ImagePartsFragment = { id: string, status: ImageStatus, source: ImageSource, prompt: string | null, placeholder: string | null, urls: { medium: string | null, large: string | null } | null, error: { code: string, message: string } | null };

export type ImagesQueryVariables = Exact<{
  kind: ImageKind;
  agentId?: string | number | null | undefined;
  limit?: number | null | undefined;
}>;


export type ImagesQuery = { images: { total: number, data: Array<{ id: string, status: ImageStatus, source: ImageSource, prompt: string | null, placeholder: string | null, urls: { medium: string | null, large: string | null } | null, error: { code: string, message: string } | null }> }, me: { plan: Plan } };

export type MakeImagesMutationVariables = Exact<{
  input: GenerateImagesInput;
}>;


export type MakeImagesMutation = { generateImages: { data: Array<{ id: string, status: ImageStatus, source: ImageSource, prompt: string | null, placeholder: string | null, urls: { medium: string | null, large: string | null } | null, error: { code: string, message: string } | null }> } };

export type ApplyImageMutationVariables = Exact<{
  id: string | number;
  input: ApplyImageInput;
}>;


export type ApplyImageMutation = { applyImage: { id: string } };

export type DeleteImageMutationVariables = Exact<{
  id: string | number;
  force?: boolean | null | undefined;
}>;


export type DeleteImageMutation = { deleteImage: { id: string } };

export type RemoveAgentPictureMutationVariables = Exact<{
  id: string | number;
}>;


export type RemoveAgentPictureMutation = { updateAgent: { id: string } };

export type MyPictureQueryVariables = Exact<{ [key: string]: never; }>;


export type MyPictureQuery = { me: { id: string, username: string, displayName: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } };

export type RemoveMyPictureMutationVariables = Exact<{ [key: string]: never; }>;


export type RemoveMyPictureMutation = { updateMe: { id: string } };

export type IntegrationFieldsFragment = { id: string, platform: Platform, agentId: string, status: IntegrationStatus, guildId: string | null, workspaceId: string | null, channelIds: Array<string> | null, autoRespond: boolean, messageCount: number, connectedAt: string, lastMessageAt: string | null, error: { code: string, message: string } | null };

export type IntegrationsQueryVariables = Exact<{ [key: string]: never; }>;


export type IntegrationsQuery = { integrations: { data: Array<{ id: string, platform: Platform, agentId: string, status: IntegrationStatus, guildId: string | null, workspaceId: string | null, channelIds: Array<string> | null, autoRespond: boolean, messageCount: number, connectedAt: string, lastMessageAt: string | null, error: { code: string, message: string } | null }> } };

export type IntegrationQueryVariables = Exact<{
  id: string | number;
}>;


export type IntegrationQuery = { integration: { id: string, platform: Platform, agentId: string, status: IntegrationStatus, guildId: string | null, workspaceId: string | null, channelIds: Array<string> | null, autoRespond: boolean, messageCount: number, connectedAt: string, lastMessageAt: string | null, error: { code: string, message: string } | null } };

export type IntegrationEventsQueryVariables = Exact<{
  id: string | number;
}>;


export type IntegrationEventsQuery = { recentEvents: { data: Array<{ id: string, type: WebhookEventType, createdAt: string, data: Record<string, unknown> }> } };

export type DiscoverChannelsMutationVariables = Exact<{
  input: DiscoverChannelsInput;
}>;


export type DiscoverChannelsMutation = { discoverChannels: { botName: string, isComplete: boolean, places: Array<{ id: string, name: string, channels: Array<{ id: string, name: string, isMember: boolean }> }> } };

export type ConnectServerMutationVariables = Exact<{
  input: ConnectServerInput;
}>;


export type ConnectServerMutation = { connectServer: { id: string, platform: Platform, agentId: string, status: IntegrationStatus, guildId: string | null, workspaceId: string | null, channelIds: Array<string> | null, autoRespond: boolean, messageCount: number, connectedAt: string, lastMessageAt: string | null, error: { code: string, message: string } | null } };

export type ConnectMessengerMutationVariables = Exact<{
  input: ConnectMessengerInput;
}>;


export type ConnectMessengerMutation = { connectMessenger: { id: string, platform: Platform, agentId: string, status: IntegrationStatus, guildId: string | null, workspaceId: string | null, channelIds: Array<string> | null, autoRespond: boolean, messageCount: number, connectedAt: string, lastMessageAt: string | null, error: { code: string, message: string } | null } };

export type ConnectWorkspaceMutationVariables = Exact<{
  input: ConnectWorkspaceInput;
}>;


export type ConnectWorkspaceMutation = { connectWorkspace: { id: string, platform: Platform, agentId: string, status: IntegrationStatus, guildId: string | null, workspaceId: string | null, channelIds: Array<string> | null, autoRespond: boolean, messageCount: number, connectedAt: string, lastMessageAt: string | null, error: { code: string, message: string } | null } };

export type UpdateIntegrationMutationVariables = Exact<{
  id: string | number;
  input: UpdateIntegrationInput;
}>;


export type UpdateIntegrationMutation = { updateIntegration: { id: string, platform: Platform, agentId: string, status: IntegrationStatus, guildId: string | null, workspaceId: string | null, channelIds: Array<string> | null, autoRespond: boolean, messageCount: number, connectedAt: string, lastMessageAt: string | null, error: { code: string, message: string } | null } };

export type DeleteIntegrationMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteIntegrationMutation = { deleteIntegration: { id: string } };

export type TestIntegrationMutationVariables = Exact<{
  id: string | number;
}>;


export type TestIntegrationMutation = { testIntegration: { testResult: { success: boolean, latencyMs: number, error: { message: string } | null } } };

export type DocumentFieldsFragment = { id: string, filename: string, sizeBytes: number, status: DocumentStatus, chunkCount: number | null, createdAt: string, replaces: string | null, error: { code: string, message: string } | null, reading: { notes: Array<{ code: string }> } | null, processing: { chunksDone: number, chunksTotal: number | null } };

export type DocumentsQueryVariables = Exact<{
  agentId: string | number;
  after?: string | null | undefined;
}>;


export type DocumentsQuery = { documents: { data: Array<{ id: string, filename: string, sizeBytes: number, status: DocumentStatus, chunkCount: number | null, createdAt: string, replaces: string | null, error: { code: string, message: string } | null, reading: { notes: Array<{ code: string }> } | null, processing: { chunksDone: number, chunksTotal: number | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type DocumentUpdatesSubscriptionVariables = Exact<{
  agentId: string | number;
}>;


export type DocumentUpdatesSubscription = { documentUpdates: { id: string, filename: string, sizeBytes: number, status: DocumentStatus, chunkCount: number | null, createdAt: string, replaces: string | null, error: { code: string, message: string } | null, reading: { notes: Array<{ code: string }> } | null, processing: { chunksDone: number, chunksTotal: number | null } } };

export type KnowledgeDocumentQueryVariables = Exact<{
  agentId: string | number;
  docId: string | number;
}>;


export type KnowledgeDocumentQuery = { document: { id: string, filename: string, sizeBytes: number, status: DocumentStatus, chunkCount: number | null, createdAt: string, replaces: string | null, reading: { encoding: string | null, notes: Array<{ code: string, message: string, places: Array<string> }> } | null, error: { code: string, message: string } | null, processing: { chunksDone: number, chunksTotal: number | null } } };

export type DocumentChunksQueryVariables = Exact<{
  agentId: string | number;
  docId: string | number;
  q?: string | null | undefined;
  limit?: number | null | undefined;
  offset?: number | null | undefined;
}>;


export type DocumentChunksQuery = { documentChunks: { total: number, data: Array<{ id: string, chunkIndex: number, place: string, content: string, tokens: number, overlap: number }> } };

export type KnowledgeAgentQueryVariables = Exact<{
  id: string | number;
}>;


export type KnowledgeAgentQuery = { agent: { id: string, name: string } };

export type RetryDocumentMutationVariables = Exact<{
  agentId: string | number;
  docId: string | number;
}>;


export type RetryDocumentMutation = { retryDocument: { id: string, filename: string, sizeBytes: number, status: DocumentStatus, chunkCount: number | null, createdAt: string, replaces: string | null, error: { code: string, message: string } | null, reading: { notes: Array<{ code: string }> } | null, processing: { chunksDone: number, chunksTotal: number | null } } };

export type DeleteDocumentMutationVariables = Exact<{
  agentId: string | number;
  docId: string | number;
}>;


export type DeleteDocumentMutation = { deleteDocument: { id: string } };

export type QueryKnowledgeQueryVariables = Exact<{
  agentId: string | number;
  input: QueryKnowledgeInput;
}>;


export type QueryKnowledgeQuery = { queryKnowledge: { results: Array<{ chunkId: string, documentId: string, filename: string, chunkIndex: number, content: string, similarity: number, reason: { words: Array<string>, coverage: number, nearness: number | null, score: number } }> } };

export type ListingCardFragment = { agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } };

export type ReviewPartsFragment = { id: string, agentId: string, rating: number, text: string | null, ownerReply: string | null, isMine: boolean, createdAt: string, updatedAt: string, author: { id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null };

export type MarketplaceHomeQueryVariables = Exact<{ [key: string]: never; }>;


export type MarketplaceHomeQuery = { marketplaceHome: { featured: Array<{ agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } }>, trending: Array<{ agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } }>, new: Array<{ agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } }>, categories: Array<{ category: AgentCategory, data: Array<{ agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } }> }> } };

export type MarketplaceQueryVariables = Exact<{
  q?: string | null | undefined;
  category?: AgentCategory | null | undefined;
  tag?: string | null | undefined;
  language?: string | null | undefined;
  sort?: MarketplaceSort | null | undefined;
  mature?: boolean | null | undefined;
  after?: string | null | undefined;
}>;


export type MarketplaceQuery = { marketplace: { data: Array<{ agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ListingQueryVariables = Exact<{
  id: string | number;
}>;


export type ListingQuery = { listing: { about: string | null, starters: Array<string>, tags: Array<string>, language: string | null, bannerUrl: string | null, allowCopies: boolean, copiedFrom: string | null, contentRating: ContentRating, greetingMessage: string | null, instructions: string | null, liked: boolean | null, featured: boolean, status: ListingStatus | null, movedTo: string | null, publishedAt: string, agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, myReview: { id: string, agentId: string, rating: number, text: string | null, ownerReply: string | null, isMine: boolean, createdAt: string, updatedAt: string, author: { id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null } | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } } };

export type ReviewsQueryVariables = Exact<{
  agentId: string | number;
  after?: string | null | undefined;
}>;


export type ReviewsQuery = { reviews: { data: Array<{ id: string, agentId: string, rating: number, text: string | null, ownerReply: string | null, isMine: boolean, createdAt: string, updatedAt: string, author: { id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CopyAgentMutationVariables = Exact<{
  agentId: string | number;
}>;


export type CopyAgentMutation = { copyAgent: { id: string } };

export type ReviewAgentMutationVariables = Exact<{
  agentId: string | number;
  input: ReviewInput;
}>;


export type ReviewAgentMutation = { reviewAgent: { id: string } };

export type DeleteReviewMutationVariables = Exact<{
  agentId: string | number;
}>;


export type DeleteReviewMutation = { deleteReview: { id: string } };

export type ReplyToReviewMutationVariables = Exact<{
  id: string | number;
  input: ReplyInput;
}>;


export type ReplyToReviewMutation = { replyToReview: { id: string } };

export type LikeMutationVariables = Exact<{
  agentId: string | number;
}>;


export type LikeMutation = { like: { liked: boolean } };

export type UnlikeMutationVariables = Exact<{
  agentId: string | number;
}>;


export type UnlikeMutation = { unlike: { liked: boolean } };

export type AgentListingQueryVariables = Exact<{
  agentId: string | number;
}>;


export type AgentListingQuery = { agentListing: { status: ListingStatus | null, about: string | null, starters: Array<string>, tags: Array<string>, language: string | null, bannerUrl: string | null, allowCopies: boolean, contentRating: ContentRating, views: number | null, publishedAt: string, agentId: string, slug: string, name: string, description: string | null, category: AgentCategory | null, messageCount: number, likeCount: number, rating: number | null, reviewCount: number, people: number | null, isMine: boolean, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null, creator: { id: string, username: string, displayName: string | null } } };

export type UpdateListingMutationVariables = Exact<{
  agentId: string | number;
  input: ListingInput;
}>;


export type UpdateListingMutation = { updateListing: { agentId: string } };

export type PublishAgentMutationVariables = Exact<{
  id: string | number;
  isPublic: boolean;
}>;


export type PublishAgentMutation = { updateAgent: { id: string } };

export type CasePartsFragment = { subjectType: SubjectType, subjectId: string, open: boolean, reporterCount: number, reportCount: number, marks: Array<string>, appealedAt: string | null, openedAt: string, updatedAt: string, author: { username: string, displayName: string | null } | null };

export type DecisionPartsFragment = { id: string, subjectType: SubjectType, subjectId: string, action: ModerationAction, reason: ReportReason, statement: string, automated: boolean, createdAt: string, appeal: { text: string, createdAt: string, outcome: ModerationAction | null, decidedAt: string | null } | null };

export type ReportPartsFragment = { id: string, subjectType: SubjectType, subjectId: string, reason: ReportReason, comment: string | null, status: ReportStatus, createdAt: string, decidedAt: string | null };

export type ModerationCasesQueryVariables = Exact<{
  state?: ModerationCaseState | null | undefined;
  after?: string | null | undefined;
}>;


export type ModerationCasesQuery = { moderationCases: { total: number, data: Array<{ subjectType: SubjectType, subjectId: string, open: boolean, reporterCount: number, reportCount: number, marks: Array<string>, appealedAt: string | null, openedAt: string, updatedAt: string, author: { username: string, displayName: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ModerationCaseQueryVariables = Exact<{
  subjectType: string;
  subjectId: string | number;
}>;


export type ModerationCaseQuery = { moderationCase: { case: { subjectType: SubjectType, subjectId: string, open: boolean, reporterCount: number, reportCount: number, marks: Array<string>, appealedAt: string | null, openedAt: string, updatedAt: string, author: { username: string, displayName: string | null } | null }, subject: { title: string, text: string, imageUrl: string | null, pictureUrl: string | null, state: string } | null, reports: Array<{ id: string, subjectType: SubjectType, subjectId: string, reason: ReportReason, comment: string | null, status: ReportStatus, createdAt: string, decidedAt: string | null }>, decisions: Array<{ id: string, subjectType: SubjectType, subjectId: string, action: ModerationAction, reason: ReportReason, statement: string, automated: boolean, createdAt: string, appeal: { text: string, createdAt: string, outcome: ModerationAction | null, decidedAt: string | null } | null }> } };

export type FeaturedAgentsQueryVariables = Exact<{ [key: string]: never; }>;


export type FeaturedAgentsQuery = { marketplaceHome: { featured: Array<{ agentId: string, slug: string, name: string, description: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }> } };

export type OwnReportsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type OwnReportsQuery = { reports: { data: Array<{ id: string, subjectType: SubjectType, subjectId: string, reason: ReportReason, comment: string | null, status: ReportStatus, createdAt: string, decidedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type OwnDecisionsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type OwnDecisionsQuery = { moderationDecisions: { data: Array<{ id: string, subjectType: SubjectType, subjectId: string, action: ModerationAction, reason: ReportReason, statement: string, automated: boolean, createdAt: string, appeal: { text: string, createdAt: string, outcome: ModerationAction | null, decidedAt: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ReportMutationVariables = Exact<{
  input: ReportInput;
}>;


export type ReportMutation = { report: { id: string } };

export type DecideModerationMutationVariables = Exact<{
  input: DecideInput;
}>;


export type DecideModerationMutation = { decideModeration: { id: string } };

export type AppealDecisionMutationVariables = Exact<{
  id: string | number;
  input: AppealInput;
}>;


export type AppealDecisionMutation = { appealDecision: { id: string } };

export type FeatureAgentMutationVariables = Exact<{
  agentId: string | number;
}>;


export type FeatureAgentMutation = { featureAgent: { agentId: string } };

export type StopFeaturingAgentMutationVariables = Exact<{
  agentId: string | number;
}>;


export type StopFeaturingAgentMutation = { stopFeaturingAgent: { id: string } };

export type StoredPreferencesFragment = { theme: Theme | null, density: Density | null, sendKey: SendKey | null, singleKeys: boolean | null, readAloud: boolean | null, followReplies: boolean | null, reduceMotion: boolean | null, language: string | null };

export type MyPreferencesQueryVariables = Exact<{ [key: string]: never; }>;


export type MyPreferencesQuery = { me: { id: string, preferences: { theme: Theme | null, density: Density | null, sendKey: SendKey | null, singleKeys: boolean | null, readAloud: boolean | null, followReplies: boolean | null, reduceMotion: boolean | null, language: string | null } } };

export type UpdatePreferencesMutationVariables = Exact<{
  input: UpdatePreferencesInput;
}>;


export type UpdatePreferencesMutation = { updatePreferences: { theme: Theme | null, density: Density | null, sendKey: SendKey | null, singleKeys: boolean | null, readAloud: boolean | null, followReplies: boolean | null, reduceMotion: boolean | null, language: string | null } };

export type RoomFieldsFragment = { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> };

export type RoomMessageFieldsFragment = { id: string, position: number, content: string, replyTo: string | null, turnId: string | null, truncated: boolean, broken: boolean, deleted: boolean, blocked: boolean, createdAt: string, author: { kind: RoomAuthorKind, id: string | null, name: string, picture: { small: string, medium: string } | null }, citations: Array<{ documentId: string, filename: string, chunkIndex: number, excerpt: string | null, marks: Array<number> }> | null };

export type RoomTurnFieldsFragment = { id: string, agentId: string, rootMessageId: string | null, state: RoomTurnState, messageId: string | null, createdAt: string, error: { code: string, message: string } | null };

export type RoomMemberFieldsFragment = { userId: string, username: string | null, displayName: string | null, role: RoomRole, state: RoomMemberState, mutedUntil: string | null, lastReadPosition: number, showsPresence: boolean, picture: { small: string, medium: string } | null };

export type RoomsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type RoomsQuery = { rooms: { total: number, data: Array<{ id: string, name: string, description: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type RoomQueryVariables = Exact<{
  id: string | number;
}>;


export type RoomQuery = { room: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type RoomMembersQueryVariables = Exact<{
  roomId: string | number;
}>;


export type RoomMembersQuery = { roomMembers: { data: Array<{ userId: string, username: string | null, displayName: string | null, role: RoomRole, state: RoomMemberState, mutedUntil: string | null, lastReadPosition: number, showsPresence: boolean, picture: { small: string, medium: string } | null }> } };

export type RoomMessagesQueryVariables = Exact<{
  roomId: string | number;
  limit?: number | null | undefined;
  before?: string | number | null | undefined;
}>;


export type RoomMessagesQuery = { roomMessages: { hasMore: boolean, data: Array<{ id: string, position: number, content: string, replyTo: string | null, turnId: string | null, truncated: boolean, broken: boolean, deleted: boolean, blocked: boolean, createdAt: string, author: { kind: RoomAuthorKind, id: string | null, name: string, picture: { small: string, medium: string } | null }, citations: Array<{ documentId: string, filename: string, chunkIndex: number, excerpt: string | null, marks: Array<number> }> | null }> } };

export type RoomTurnsQueryVariables = Exact<{
  roomId: string | number;
}>;


export type RoomTurnsQuery = { roomTurns: { data: Array<{ id: string, agentId: string, rootMessageId: string | null, state: RoomTurnState, messageId: string | null, createdAt: string, error: { code: string, message: string } | null }> } };

export type RoomEventsSubscriptionVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type RoomEventsSubscription = { roomEvents: { type: string, offset: string | null, data: Record<string, unknown> } };

export type CreateRoomMutationVariables = Exact<{
  input: RoomInput;
}>;


export type CreateRoomMutation = { createRoom: { id: string } };

export type AddRoomAgentMutationVariables = Exact<{
  roomId: string | number;
  agentId: string | number;
}>;


export type AddRoomAgentMutation = { addRoomAgent: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type JoinRoomMutationVariables = Exact<{
  id: string | number;
}>;


export type JoinRoomMutation = { joinRoom: { id: string } };

export type DeclineRoomMutationVariables = Exact<{
  id: string | number;
}>;


export type DeclineRoomMutation = { declineRoom: { id: string } };

export type PostRoomMessageMutationVariables = Exact<{
  roomId: string | number;
  input: RoomMessageInput;
}>;


export type PostRoomMessageMutation = { postRoomMessage: { message: { id: string, position: number, content: string, replyTo: string | null, turnId: string | null, truncated: boolean, broken: boolean, deleted: boolean, blocked: boolean, createdAt: string, author: { kind: RoomAuthorKind, id: string | null, name: string, picture: { small: string, medium: string } | null }, citations: Array<{ documentId: string, filename: string, chunkIndex: number, excerpt: string | null, marks: Array<number> }> | null }, turns: Array<{ id: string, agentId: string, rootMessageId: string | null, state: RoomTurnState, messageId: string | null, createdAt: string, error: { code: string, message: string } | null }> } };

export type DeleteRoomMessageMutationVariables = Exact<{
  roomId: string | number;
  messageId: string | number;
}>;


export type DeleteRoomMessageMutation = { deleteRoomMessage: { id: string } };

export type RequestTurnMutationVariables = Exact<{
  roomId: string | number;
  agentId: string | number;
}>;


export type RequestTurnMutation = { requestTurn: { id: string, agentId: string, rootMessageId: string | null, state: RoomTurnState, messageId: string | null, createdAt: string, error: { code: string, message: string } | null } };

export type StopTurnsMutationVariables = Exact<{
  roomId: string | number;
}>;


export type StopTurnsMutation = { stopTurns: { data: Array<{ id: string, agentId: string, rootMessageId: string | null, state: RoomTurnState, messageId: string | null, createdAt: string, error: { code: string, message: string } | null }> } };

export type StopTurnMutationVariables = Exact<{
  roomId: string | number;
  turnId: string | number;
}>;


export type StopTurnMutation = { stopTurn: { data: Array<{ id: string, agentId: string, rootMessageId: string | null, state: RoomTurnState, messageId: string | null, createdAt: string, error: { code: string, message: string } | null }> } };

export type MarkRoomReadMutationVariables = Exact<{
  roomId: string | number;
  position: number;
}>;


export type MarkRoomReadMutation = { markRoomRead: { id: string, unreadCount: number } };

export type UpdateRoomMutationVariables = Exact<{
  id: string | number;
  input: RoomPatch;
}>;


export type UpdateRoomMutation = { updateRoom: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type InviteToRoomMutationVariables = Exact<{
  roomId: string | number;
  input: InviteInput;
}>;


export type InviteToRoomMutation = { inviteToRoom: { userId: string, username: string | null, displayName: string | null, role: RoomRole, state: RoomMemberState, mutedUntil: string | null, lastReadPosition: number, showsPresence: boolean, picture: { small: string, medium: string } | null } };

export type UpdateRoomMemberMutationVariables = Exact<{
  roomId: string | number;
  userId: string | number;
  input: RoomMemberPatch;
}>;


export type UpdateRoomMemberMutation = { updateRoomMember: { userId: string, username: string | null, displayName: string | null, role: RoomRole, state: RoomMemberState, mutedUntil: string | null, lastReadPosition: number, showsPresence: boolean, picture: { small: string, medium: string } | null } };

export type RemoveRoomMemberMutationVariables = Exact<{
  roomId: string | number;
  userId: string | number;
}>;


export type RemoveRoomMemberMutation = { removeRoomMember: { id: string } };

export type UpdateRoomAgentMutationVariables = Exact<{
  roomId: string | number;
  agentId: string | number;
  input: RoomAgentPatch;
}>;


export type UpdateRoomAgentMutation = { updateRoomAgent: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type RemoveRoomAgentMutationVariables = Exact<{
  roomId: string | number;
  agentId: string | number;
}>;


export type RemoveRoomAgentMutation = { removeRoomAgent: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type TransferRoomMutationVariables = Exact<{
  id: string | number;
  userId: string | number;
}>;


export type TransferRoomMutation = { transferRoom: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type AcceptRoomTransferMutationVariables = Exact<{
  id: string | number;
}>;


export type AcceptRoomTransferMutation = { acceptRoomTransfer: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type CancelRoomTransferMutationVariables = Exact<{
  id: string | number;
}>;


export type CancelRoomTransferMutation = { cancelRoomTransfer: { id: string, name: string, description: string | null, scene: string | null, replyMode: RoomReplyMode, agentHops: number, repliesPerMessage: number, payer: RoomPayer, history: RoomHistory, ownerId: string, offeredTo: string | null, offerExpiresAt: string | null, people: number, myRole: RoomRole, myState: RoomMemberState, lastPosition: number, unreadCount: number, lastMessageAt: string | null, agents: Array<{ agentId: string, name: string, muted: boolean, position: number, available: boolean, picture: { small: string, medium: string } | null }> } };

export type LeaveRoomMutationVariables = Exact<{
  id: string | number;
}>;


export type LeaveRoomMutation = { leaveRoom: { id: string } };

export type DeleteRoomMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteRoomMutation = { deleteRoom: { id: string } };

export type RoomInvitationsQueryVariables = Exact<{
  roomId: string | number;
}>;


export type RoomInvitationsQuery = { roomInvitations: { data: Array<{ id: string, role: RoomRole, expiresAt: string, maxUses: number, uses: number, revokedAt: string | null }> } };

export type CreateRoomInvitationMutationVariables = Exact<{
  roomId: string | number;
  input?: InvitationInput | null | undefined;
}>;


export type CreateRoomInvitationMutation = { createRoomInvitation: { id: string, url: string | null } };

export type RevokeRoomInvitationMutationVariables = Exact<{
  roomId: string | number;
  invitationId: string | number;
}>;


export type RevokeRoomInvitationMutation = { revokeRoomInvitation: { id: string } };

export type JoinRoomByLinkMutationVariables = Exact<{
  token: string;
}>;


export type JoinRoomByLinkMutation = { joinRoomByLink: { id: string } };

export type ProfileQueryVariables = Exact<{ [key: string]: never; }>;


export type ProfileQuery = { me: { id: string, email: string, emailVerified: boolean, username: string, displayName: string | null, bio: string | null, createdAt: string } };

export type UpdateMeMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateMeMutation = { updateMe: { id: string, username: string, displayName: string | null, bio: string | null } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { message: string } };

export type ChangeEmailMutationVariables = Exact<{
  input: ChangeEmailInput;
}>;


export type ChangeEmailMutation = { changeEmail: { message: string } };

export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { sessions: { data: Array<{ id: string, current: boolean, userAgent: string | null, ip: string | null, createdAt: string, lastUsedAt: string }> } };

export type RevokeSessionMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeSessionMutation = { revokeSession: { id: string } };

export type AuditLogQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { data: Array<{ id: string, action: AuditAction, subject: string | null, ip: string | null, apiKeyId: string | null, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type RequestDataExportMutationVariables = Exact<{ [key: string]: never; }>;


export type RequestDataExportMutation = { requestDataExport: { exportId: string } };

export type DataExportQueryVariables = Exact<{
  id: string | number;
}>;


export type DataExportQuery = { dataExport: { exportId: string, status: ExportStatus, requestedAt: string, completedAt: string | null, expiresAt: string | null, sizeBytes: number | null } };

export type DeleteMeMutationVariables = Exact<{ [key: string]: never; }>;


export type DeleteMeMutation = { deleteMe: { gracePeriodEnds: string } };

export type PersonFragment = { id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null };

export type ProfilePartsFragment = { id: string, username: string, displayName: string | null, bio: string | null, bannerUrl: string | null, createdAt: string, agentCount: number, followerCount: number, followingCount: number, followed: boolean | null, muted: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null };

export type PublicProfileQueryVariables = Exact<{
  username: string;
}>;


export type PublicProfileQuery = { profile: { id: string, username: string, displayName: string | null, bio: string | null, bannerUrl: string | null, createdAt: string, agentCount: number, followerCount: number, followingCount: number, followed: boolean | null, muted: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } };

export type ProfileAgentsQueryVariables = Exact<{
  username: string;
  after?: string | null | undefined;
}>;


export type ProfileAgentsQuery = { profileAgents: { data: Array<{ id: string, name: string, description: string | null, messageCount: number, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type OwnProfileQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnProfileQuery = { ownProfile: { id: string, username: string, displayName: string | null, bannerUrl: string | null, visibility: ProfileVisibility | null, showFollowing: boolean | null, showMature: boolean | null } };

export type ActivityPartsFragment = { id: string, type: ActivityType, createdAt: string, actor: { id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, agent: { id: string, name: string, description: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, share: { id: string, type: ShareType, title: string | null, note: string | null, messageCount: number } | null };

export type FeedQueryVariables = Exact<{
  before?: string | number | null | undefined;
}>;


export type FeedQuery = { feed: { hasMore: boolean, data: Array<{ id: string, type: ActivityType, createdAt: string, actor: { id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, agent: { id: string, name: string, description: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, share: { id: string, type: ShareType, title: string | null, note: string | null, messageCount: number } | null }> } };

export type FeedCountQueryVariables = Exact<{
  since: string | number;
}>;


export type FeedCountQuery = { feed: { count: number | null } };

export type SharesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type SharesQuery = { shares: { data: Array<{ id: string, type: ShareType, title: string | null, agentId: string, note: string | null, anonymous: boolean, inFeed: boolean, indexable: boolean, messageCount: number, viewCount: number, createdAt: string, revokedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type SharedConversationQueryVariables = Exact<{
  token: string;
}>;


export type SharedConversationQuery = { sharedConversation: { id: string, type: ShareType, title: string | null, note: string | null, agentId: string | null, agentName: string, createdAt: string, indexable: boolean, agent: { description: string | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, sharedBy: { id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null } | null, messages: Array<{ role: MessageRole, content: string }> } };

export type BlocksQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type BlocksQuery = { blocks: { data: Array<{ id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type MutesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MutesQuery = { mutes: { data: Array<{ id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type FollowersQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FollowersQuery = { followers: { data: Array<{ id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type FollowingQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FollowingQuery = { following: { data: Array<{ id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ProfileFollowersQueryVariables = Exact<{
  username: string;
  after?: string | null | undefined;
}>;


export type ProfileFollowersQuery = { profileFollowers: { data: Array<{ id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ProfileFollowingQueryVariables = Exact<{
  username: string;
  after?: string | null | undefined;
}>;


export type ProfileFollowingQuery = { profileFollowing: { data: Array<{ id: string, username: string, displayName: string | null, followed: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type LikesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type LikesQuery = { likes: { data: Array<{ id: string, name: string, description: string | null, liked: boolean | null, picture: { small: string, medium: string, large: string, placeholder: string | null, aiGenerated: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type UpdateProfileMutationVariables = Exact<{
  input: ProfileInput;
}>;


export type UpdateProfileMutation = { updateProfile: { id: string } };

export type CreateShareMutationVariables = Exact<{
  input: ShareInput;
}>;


export type CreateShareMutation = { createShare: { id: string, url: string | null } };

export type RevokeShareMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeShareMutation = { revokeShare: { id: string } };

export type ContinueShareMutationVariables = Exact<{
  token: string;
}>;


export type ContinueShareMutation = { continueShare: { id: string } };

export type FollowMutationVariables = Exact<{
  userId: string | number;
}>;


export type FollowMutation = { follow: { followed: boolean } };

export type UnfollowMutationVariables = Exact<{
  userId: string | number;
}>;


export type UnfollowMutation = { unfollow: { followed: boolean } };

export type BlockMutationVariables = Exact<{
  userId: string | number;
}>;


export type BlockMutation = { block: { blocked: boolean } };

export type UnblockMutationVariables = Exact<{
  userId: string | number;
}>;


export type UnblockMutation = { unblock: { blocked: boolean } };

export type MuteMutationVariables = Exact<{
  userId: string | number;
}>;


export type MuteMutation = { mute: { muted: boolean } };

export type UnmuteMutationVariables = Exact<{
  userId: string | number;
}>;


export type UnmuteMutation = { unmute: { muted: boolean } };

export type StudioAgentQueryVariables = Exact<{
  id: string | number;
}>;


export type StudioAgentQuery = { agent: { id: string, name: string, liveVersion: { id: string, number: number, instructions: string, model: ModelId, greetingMessage: string | null, voiceId: VoiceId | null } | null } };

export type AgentVersionsQueryVariables = Exact<{
  agentId: string | number;
  after?: string | null | undefined;
}>;


export type AgentVersionsQuery = { agentVersions: { data: Array<{ id: string, number: number, model: ModelId, note: string | null, origin: VersionOrigin, isLive: boolean, createdAt: string, publishedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type AgentVersionChangesQueryVariables = Exact<{
  agentId: string | number;
  versionId: string | number;
  compareTo: string | number;
}>;


export type AgentVersionChangesQuery = { agentVersion: { id: string, number: number, changes: Array<{ field: string, before: string | null, after: string | null }> | null } };

export type PublishAgentVersionMutationVariables = Exact<{
  agentId: string | number;
  versionId: string | number;
}>;


export type PublishAgentVersionMutation = { publishAgentVersion: { id: string, number: number } };

export type CreateAgentVersionMutationVariables = Exact<{
  agentId: string | number;
  input: CreateAgentVersionInput;
}>;


export type CreateAgentVersionMutation = { createAgentVersion: { id: string } };

export type TryAgentVersionMutationVariables = Exact<{
  input: CreateConversationInput;
}>;


export type TryAgentVersionMutation = { createConversation: { id: string } };

export type ExperimentFieldsFragment = { id: string, name: string, hypothesis: string | null, status: ExperimentStatus, metric: ExperimentMetric, expectedPeople: number, minDays: number, startedAt: string | null, endedAt: string | null, endedReason: EndedReason | null, winnerVersionId: string | null, variants: Array<{ key: string, versionId: string, weight: number }> };

export type ExperimentsQueryVariables = Exact<{
  agentId: string | number;
  after?: string | null | undefined;
}>;


export type ExperimentsQuery = { experiments: { data: Array<{ id: string, name: string, hypothesis: string | null, status: ExperimentStatus, metric: ExperimentMetric, expectedPeople: number, minDays: number, startedAt: string | null, endedAt: string | null, endedReason: EndedReason | null, winnerVersionId: string | null, variants: Array<{ key: string, versionId: string, weight: number }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ExperimentResultsQueryVariables = Exact<{
  id: string | number;
}>;


export type ExperimentResultsQuery = { experimentResults: { verdict: Verdict, best: string | null, progress: number, warnings: Array<ResultWarning>, variants: Array<{ key: string, versionId: string, people: number | null, successes: number | null, rate: number | null, difference: number | null, interval: Array<number> | null, replies: number | null, failed: number | null, thumbsUp: number | null, thumbsDown: number | null, firstWordsMsP50: number | null, firstWordsMsP95: number | null }>, sampleRatio: { ok: boolean, expected: Array<number>, observed: Array<number> | null } } };

export type CreateExperimentMutationVariables = Exact<{
  agentId: string | number;
  input: ExperimentInput;
}>;


export type CreateExperimentMutation = { createExperiment: { id: string } };

export type StartExperimentMutationVariables = Exact<{
  id: string | number;
}>;


export type StartExperimentMutation = { startExperiment: { id: string } };

export type PauseExperimentMutationVariables = Exact<{
  id: string | number;
}>;


export type PauseExperimentMutation = { pauseExperiment: { id: string } };

export type ResumeExperimentMutationVariables = Exact<{
  id: string | number;
}>;


export type ResumeExperimentMutation = { resumeExperiment: { id: string } };

export type StopExperimentMutationVariables = Exact<{
  id: string | number;
}>;


export type StopExperimentMutation = { stopExperiment: { id: string } };

export type DeleteExperimentMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteExperimentMutation = { deleteExperiment: { id: string } };

export type ConcludeExperimentMutationVariables = Exact<{
  id: string | number;
  input: ConcludeInput;
}>;


export type ConcludeExperimentMutation = { concludeExperiment: { id: string } };

export type AnalyticsLimitsQueryVariables = Exact<{ [key: string]: never; }>;


export type AnalyticsLimitsQuery = { limits: { plan: Plan, data: Array<{ name: string, limit: number }> } };

export type AnalyticsTotalsFragment = { people: number | null, newPeople: number | null, conversations: number | null, messages: number | null, replies: number | null, failed: number | null, thumbsUp: number | null, thumbsDown: number | null, firstWordsMsP50: number | null, retentionD1: number | null, retentionD7: number | null, listingViews: number | null, likes: number | null, suppressed: boolean };

export type AnalyticsBucketFragment = { date: string, people: number | null, messages: number | null, replies: number | null, failed: number | null, firstWordsMsP50: number | null, firstWordsMsP95: number | null, listingViews: number | null, likes: number | null };

export type AgentAnalyticsQueryVariables = Exact<{
  agentId: string | number;
  from: string;
  granularity?: Granularity | null | undefined;
}>;


export type AgentAnalyticsQuery = { agentAnalytics: { completeUntil: string, totals: { people: number | null, newPeople: number | null, conversations: number | null, messages: number | null, replies: number | null, failed: number | null, thumbsUp: number | null, thumbsDown: number | null, firstWordsMsP50: number | null, retentionD1: number | null, retentionD7: number | null, listingViews: number | null, likes: number | null, suppressed: boolean }, series: Array<{ date: string, people: number | null, messages: number | null, replies: number | null, failed: number | null, firstWordsMsP50: number | null, firstWordsMsP95: number | null, listingViews: number | null, likes: number | null }> } };

export type AnalyticsBreakdownQueryVariables = Exact<{
  agentId: string | number;
  from: string;
  by: Breakdown;
}>;


export type AnalyticsBreakdownQuery = { agentAnalytics: { breakdown: Array<{ versionNumber: number | null, source: string | null, isOther: boolean, messages: number | null, replies: number | null, failed: number | null, thumbsUp: number | null, thumbsDown: number | null, firstWordsMsP50: number | null, firstWordsMsP95: number | null }> } };

export type StudioAnalyticsQueryVariables = Exact<{
  from: string;
  granularity?: Granularity | null | undefined;
}>;


export type StudioAnalyticsQuery = { studioAnalytics: { completeUntil: string, totals: { people: number | null, newPeople: number | null, conversations: number | null, messages: number | null, replies: number | null, failed: number | null, thumbsUp: number | null, thumbsDown: number | null, firstWordsMsP50: number | null, retentionD1: number | null, retentionD7: number | null, listingViews: number | null, likes: number | null, suppressed: boolean }, series: Array<{ date: string, people: number | null, messages: number | null, replies: number | null, failed: number | null, firstWordsMsP50: number | null, firstWordsMsP95: number | null, listingViews: number | null, likes: number | null }>, agents: Array<{ agentId: string, name: string, conversations: number, messages: number }> } };

export type SharedFeedbackQueryVariables = Exact<{
  agentId: string | number;
  after?: string | null | undefined;
}>;


export type SharedFeedbackQuery = { sharedFeedback: { data: Array<{ messageId: string, rating: FeedbackRating, comment: string | null, question: string | null, reply: string, versionNumber: number | null, sharedAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type WebhookFieldsFragment = { id: string, url: string, description: string | null, events: Array<WebhookEventType>, active: boolean, createdAt: string, disabledReason: string | null, disabledAt: string | null };

export type DeliveryFieldsFragment = { id: string, eventId: string, eventType: WebhookEventType, status: DeliveryStatus, nextAttemptAt: string | null, createdAt: string, attempts: Array<{ startedAt: string, status: number | null, durationMs: number | null, error: string | null, excerpt: string | null }> };

export type WebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhooksQuery = { webhooks: { data: Array<{ id: string, url: string, description: string | null, events: Array<WebhookEventType>, active: boolean, createdAt: string, disabledReason: string | null, disabledAt: string | null, hours: Array<{ start: string, delivered: number, failed: number }> }> } };

export type WebhookQueryVariables = Exact<{
  id: string | number;
}>;


export type WebhookQuery = { webhook: { id: string, url: string, description: string | null, events: Array<WebhookEventType>, active: boolean, createdAt: string, disabledReason: string | null, disabledAt: string | null } };

export type WebhookStatsQueryVariables = Exact<{
  id: string | number;
  bucket?: StatsBucket | null | undefined;
}>;


export type WebhookStatsQuery = { webhookStats: { since: string, pending: number, delivered: number, failed: number, skipped: number, attempts: number, failedAttempts: number, successRate: number | null, medianDurationMs: number | null, p95DurationMs: number | null, lastDeliveredAt: string | null, lastFailedAt: string | null, consecutiveFailures: number, series: Array<{ start: string, delivered: number, failedAttempts: number }> } };

export type WebhookDeliveriesQueryVariables = Exact<{
  webhookId: string | number;
  status?: DeliveryStatus | null | undefined;
  eventType?: WebhookEventType | null | undefined;
  after?: string | null | undefined;
}>;


export type WebhookDeliveriesQuery = { webhookDeliveries: { data: Array<{ id: string, eventId: string, eventType: WebhookEventType, status: DeliveryStatus, nextAttemptAt: string | null, createdAt: string, attempts: Array<{ startedAt: string, status: number | null, durationMs: number | null, error: string | null, excerpt: string | null }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type WebhookDeliveryQueryVariables = Exact<{
  webhookId: string | number;
  id: string | number;
}>;


export type WebhookDeliveryQuery = { webhookDelivery: { id: string, eventId: string, eventType: WebhookEventType, status: DeliveryStatus, nextAttemptAt: string | null, createdAt: string, event: { id: string, type: WebhookEventType, createdAt: string, data: Record<string, unknown> } | null, request: { body: string, headers: Array<{ name: string, value: string }> } | null, attempts: Array<{ startedAt: string, status: number | null, durationMs: number | null, error: string | null, excerpt: string | null }> } };

export type WebhookDeliveryUpdatesSubscriptionVariables = Exact<{
  webhookId: string | number;
}>;


export type WebhookDeliveryUpdatesSubscription = { webhookDeliveryUpdates: { id: string, eventId: string, eventType: WebhookEventType, status: DeliveryStatus, nextAttemptAt: string | null, createdAt: string, attempts: Array<{ startedAt: string, status: number | null, durationMs: number | null, error: string | null, excerpt: string | null }> } };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { createWebhook: { id: string, secret: string | null } };

export type UpdateWebhookMutationVariables = Exact<{
  id: string | number;
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { updateWebhook: { id: string, url: string, description: string | null, events: Array<WebhookEventType>, active: boolean, createdAt: string, disabledReason: string | null, disabledAt: string | null } };

export type DeleteWebhookMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteWebhookMutation = { deleteWebhook: { id: string } };

export type RotateWebhookSecretMutationVariables = Exact<{
  id: string | number;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { id: string, secret: string | null } };

export type TestWebhookMutationVariables = Exact<{
  webhookId: string | number;
  input?: TestWebhookInput | null | undefined;
}>;


export type TestWebhookMutation = { testWebhook: { id: string, eventId: string, eventType: WebhookEventType, status: DeliveryStatus, nextAttemptAt: string | null, createdAt: string, attempts: Array<{ startedAt: string, status: number | null, durationMs: number | null, error: string | null, excerpt: string | null }> } };

export type RedeliverWebhookDeliveryMutationVariables = Exact<{
  webhookId: string | number;
  deliveryId: string | number;
}>;


export type RedeliverWebhookDeliveryMutation = { redeliverWebhookDelivery: { id: string, eventId: string, eventType: WebhookEventType, status: DeliveryStatus, nextAttemptAt: string | null, createdAt: string, attempts: Array<{ startedAt: string, status: number | null, durationMs: number | null, error: string | null, excerpt: string | null }> } };

export type RecoverWebhookDeliveriesMutationVariables = Exact<{
  webhookId: string | number;
  input: RecoverDeliveriesInput;
}>;


export type RecoverWebhookDeliveriesMutation = { recoverWebhookDeliveries: { recovered: number, nextSince: string | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AccountPartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment AccountParts on Query {
  me {
    id
    email
    username
    displayName
    emailVerified
    plan
    isModerator
    picture {
      small
      medium
    }
  }
  subscription {
    status
  }
  service {
    now
  }
  recentEvents(limit: 1) {
    data {
      id
    }
  }
}
    `, {"fragmentName":"AccountParts"}) as unknown as TypedDocumentString<AccountPartsFragment, unknown>;
export const PicturePartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
    `, {"fragmentName":"PictureParts"}) as unknown as TypedDocumentString<PicturePartsFragment, unknown>;
export const AgentFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment AgentFields on Agent {
  id
  name
  description
  instructions
  model
  voiceId
  category
  greetingMessage
  isPublic
  messageCount
  creatorId
  documentCount
  updatedAt
  picture {
    ...PictureParts
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`, {"fragmentName":"AgentFields"}) as unknown as TypedDocumentString<AgentFieldsFragment, unknown>;
export const ApiKeyFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ApiKeyFields on ApiKey {
  id
  name
  keyHint
  scopes
  lastUsedAt
  expiresAt
  createdAt
}
    `, {"fragmentName":"ApiKeyFields"}) as unknown as TypedDocumentString<ApiKeyFieldsFragment, unknown>;
export const ReplyEventFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ReplyEvent on MessageStreamEvent {
  __typename
  ... on MessageDelta {
    generationId
    content
    end
  }
  ... on MessageDone {
    messageId
    userMessageId
    generationId
    stopped
  }
  ... on MessageError {
    generationId
    code
    message
    retryAfterSeconds
    messageId
  }
}
    `, {"fragmentName":"ReplyEvent"}) as unknown as TypedDocumentString<ReplyEventFragment, unknown>;
export const ConversationPartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ConversationParts on Query {
  conversation(id: $id) {
    id
    title
    pinnedAt
    archivedAt
    agentId
    agent {
      id
      name
      description
      creatorId
      isMine
      voiceId
      picture {
        ...PictureParts
      }
    }
    generation {
      id
      state
      userMessageId
      error {
        code
        message
      }
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`, {"fragmentName":"ConversationParts"}) as unknown as TypedDocumentString<ConversationPartsFragment, unknown>;
export const ThreadMessageFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ThreadMessage on Message {
  id
  role
  content
  broken
  createdAt
  branchIds
  feedback {
    rating
    comment
    sharedAt
  }
  citations {
    chunkId
    documentId
    filename
    chunkIndex
    place
    excerpt
    marks
  }
  generation {
    stopped
    durationMs
    usage {
      inputTokens
      outputTokens
    }
    error {
      message
    }
  }
}
    `, {"fragmentName":"ThreadMessage"}) as unknown as TypedDocumentString<ThreadMessageFragment, unknown>;
export const MessagesPartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment MessagesParts on Query {
  messages(
    conversationId: $conversationId
    limit: $limit
    after: $after
    newerThan: $newerThan
    around: $around
  ) {
    data {
      ...ThreadMessage
    }
    startCursor
    hasNewer
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment ThreadMessage on Message {
  id
  role
  content
  broken
  createdAt
  branchIds
  feedback {
    rating
    comment
    sharedAt
  }
  citations {
    chunkId
    documentId
    filename
    chunkIndex
    place
    excerpt
    marks
  }
  generation {
    stopped
    durationMs
    usage {
      inputTokens
      outputTokens
    }
    error {
      message
    }
  }
}`, {"fragmentName":"MessagesParts"}) as unknown as TypedDocumentString<MessagesPartsFragment, unknown>;
export const EmbedFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment EmbedFields on Embed {
  id
  agentId
  name
  active
  allowedOrigins
  test
  identity
  limits {
    perDay
    perVisitorDay
    perAddressHour
  }
  challenge
  challengeSiteKey
  appearance {
    title
    color
    position
    avatar
    starters
    language
    dark
  }
  retentionDays
  notice
  messageCount
  visitorCount
  snippet
}
    `, {"fragmentName":"EmbedFields"}) as unknown as TypedDocumentString<EmbedFieldsFragment, unknown>;
export const AuthorFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment Author on PublicProfile {
  username
  displayName
}
    `, {"fragmentName":"Author"}) as unknown as TypedDocumentString<AuthorFragment, unknown>;
export const ImagePartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ImageParts on Image {
  id
  status
  source
  prompt
  urls {
    medium
    large
  }
  placeholder
  error {
    code
    message
  }
}
    `, {"fragmentName":"ImageParts"}) as unknown as TypedDocumentString<ImagePartsFragment, unknown>;
export const IntegrationFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment IntegrationFields on Integration {
  id
  platform
  agentId
  status
  guildId
  workspaceId
  channelIds
  autoRespond
  messageCount
  connectedAt
  lastMessageAt
  error {
    code
    message
  }
}
    `, {"fragmentName":"IntegrationFields"}) as unknown as TypedDocumentString<IntegrationFieldsFragment, unknown>;
export const DocumentFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment DocumentFields on Document {
  id
  filename
  sizeBytes
  status
  chunkCount
  createdAt
  replaces
  error {
    code
    message
  }
  reading {
    notes {
      code
    }
  }
  processing {
    chunksDone
    chunksTotal
  }
}
    `, {"fragmentName":"DocumentFields"}) as unknown as TypedDocumentString<DocumentFieldsFragment, unknown>;
export const ListingCardFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ListingCard on Listing {
  agentId
  slug
  name
  description
  category
  messageCount
  likeCount
  rating
  reviewCount
  people
  isMine
  picture {
    ...PictureParts
  }
  creator {
    id
    username
    displayName
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`, {"fragmentName":"ListingCard"}) as unknown as TypedDocumentString<ListingCardFragment, unknown>;
export const PersonFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`, {"fragmentName":"Person"}) as unknown as TypedDocumentString<PersonFragment, unknown>;
export const ReviewPartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ReviewParts on Review {
  id
  agentId
  rating
  text
  ownerReply
  isMine
  createdAt
  updatedAt
  author {
    ...Person
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`, {"fragmentName":"ReviewParts"}) as unknown as TypedDocumentString<ReviewPartsFragment, unknown>;
export const CasePartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment CaseParts on ModerationCase {
  subjectType
  subjectId
  open
  reporterCount
  reportCount
  marks
  appealedAt
  openedAt
  updatedAt
  author {
    username
    displayName
  }
}
    `, {"fragmentName":"CaseParts"}) as unknown as TypedDocumentString<CasePartsFragment, unknown>;
export const DecisionPartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment DecisionParts on ModerationDecision {
  id
  subjectType
  subjectId
  action
  reason
  statement
  automated
  createdAt
  appeal {
    text
    createdAt
    outcome
    decidedAt
  }
}
    `, {"fragmentName":"DecisionParts"}) as unknown as TypedDocumentString<DecisionPartsFragment, unknown>;
export const ReportPartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ReportParts on Report {
  id
  subjectType
  subjectId
  reason
  comment
  status
  createdAt
  decidedAt
}
    `, {"fragmentName":"ReportParts"}) as unknown as TypedDocumentString<ReportPartsFragment, unknown>;
export const StoredPreferencesFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment StoredPreferences on Preferences {
  theme
  density
  sendKey
  singleKeys
  readAloud
  followReplies
  reduceMotion
  language
}
    `, {"fragmentName":"StoredPreferences"}) as unknown as TypedDocumentString<StoredPreferencesFragment, unknown>;
export const RoomFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}
    `, {"fragmentName":"RoomFields"}) as unknown as TypedDocumentString<RoomFieldsFragment, unknown>;
export const RoomMessageFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment RoomMessageFields on RoomMessage {
  id
  position
  author {
    kind
    id
    name
    picture {
      small
      medium
    }
  }
  content
  replyTo
  turnId
  citations {
    documentId
    filename
    chunkIndex
    excerpt
    marks
  }
  truncated
  broken
  deleted
  blocked
  createdAt
}
    `, {"fragmentName":"RoomMessageFields"}) as unknown as TypedDocumentString<RoomMessageFieldsFragment, unknown>;
export const RoomTurnFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment RoomTurnFields on RoomTurn {
  id
  agentId
  rootMessageId
  state
  messageId
  error {
    code
    message
  }
  createdAt
}
    `, {"fragmentName":"RoomTurnFields"}) as unknown as TypedDocumentString<RoomTurnFieldsFragment, unknown>;
export const RoomMemberFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment RoomMemberFields on RoomMember {
  userId
  username
  displayName
  picture {
    small
    medium
  }
  role
  state
  mutedUntil
  lastReadPosition
  showsPresence
}
    `, {"fragmentName":"RoomMemberFields"}) as unknown as TypedDocumentString<RoomMemberFieldsFragment, unknown>;
export const ProfilePartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ProfileParts on Profile {
  id
  username
  displayName
  bio
  bannerUrl
  picture {
    ...PictureParts
  }
  createdAt
  agentCount
  followerCount
  followingCount
  followed
  muted
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`, {"fragmentName":"ProfileParts"}) as unknown as TypedDocumentString<ProfilePartsFragment, unknown>;
export const ActivityPartsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ActivityParts on Activity {
  id
  type
  createdAt
  actor {
    ...Person
  }
  agent {
    id
    name
    description
    picture {
      ...PictureParts
    }
  }
  share {
    id
    type
    title
    note
    messageCount
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`, {"fragmentName":"ActivityParts"}) as unknown as TypedDocumentString<ActivityPartsFragment, unknown>;
export const ExperimentFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ExperimentFields on Experiment {
  id
  name
  hypothesis
  status
  metric
  expectedPeople
  minDays
  startedAt
  endedAt
  endedReason
  winnerVersionId
  variants {
    key
    versionId
    weight
  }
}
    `, {"fragmentName":"ExperimentFields"}) as unknown as TypedDocumentString<ExperimentFieldsFragment, unknown>;
export const AnalyticsTotalsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment AnalyticsTotals on AnalyticsTotals {
  people
  newPeople
  conversations
  messages
  replies
  failed
  thumbsUp
  thumbsDown
  firstWordsMsP50
  retentionD1
  retentionD7
  listingViews
  likes
  suppressed
}
    `, {"fragmentName":"AnalyticsTotals"}) as unknown as TypedDocumentString<AnalyticsTotalsFragment, unknown>;
export const AnalyticsBucketFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment AnalyticsBucket on AnalyticsBucket {
  date
  people
  messages
  replies
  failed
  firstWordsMsP50
  firstWordsMsP95
  listingViews
  likes
}
    `, {"fragmentName":"AnalyticsBucket"}) as unknown as TypedDocumentString<AnalyticsBucketFragment, unknown>;
export const WebhookFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment WebhookFields on Webhook {
  id
  url
  description
  events
  active
  createdAt
  disabledReason
  disabledAt
}
    `, {"fragmentName":"WebhookFields"}) as unknown as TypedDocumentString<WebhookFieldsFragment, unknown>;
export const DeliveryFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment DeliveryFields on WebhookDelivery {
  id
  eventId
  eventType
  status
  nextAttemptAt
  createdAt
  attempts {
    startedAt
    status
    durationMs
    error
    excerpt
  }
}
    `, {"fragmentName":"DeliveryFields"}) as unknown as TypedDocumentString<DeliveryFieldsFragment, unknown>;
export const MeDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Me {
  ...AccountParts
}
    fragment AccountParts on Query {
  me {
    id
    email
    username
    displayName
    emailVerified
    plan
    isModerator
    picture {
      small
      medium
    }
  }
  subscription {
    status
  }
  service {
    now
  }
  recentEvents(limit: 1) {
    data {
      id
    }
  }
}`) as unknown as TypedDocumentString<MeQuery, MeQueryVariables>;
export const UsageDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Usage {
  usage {
    plan
    periodEnd
    usage {
      messagesSent
      messagesLimit
      agentsCreated
      agentsLimit
      knowledgeDocs
      knowledgeLimit
      storedMegabytes
      storedMegabytesLimit
    }
  }
}
    `) as unknown as TypedDocumentString<UsageQuery, UsageQueryVariables>;
export const ForgotPasswordDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ForgotPassword($input: ForgotPasswordInput!) {
  forgotPassword(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<ForgotPasswordMutation, ForgotPasswordMutationVariables>;
export const ResetPasswordDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<ResetPasswordMutation, ResetPasswordMutationVariables>;
export const VerifyEmailDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation VerifyEmail($input: VerifyEmailInput!) {
  verifyEmail(input: $input) {
    emailVerified
  }
}
    `) as unknown as TypedDocumentString<VerifyEmailMutation, VerifyEmailMutationVariables>;
export const ResendVerificationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResendVerification {
  resendVerification {
    message
  }
}
    `) as unknown as TypedDocumentString<ResendVerificationMutation, ResendVerificationMutationVariables>;
export const ServiceDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Service {
  service {
    profile
    mailOutboxUrl
    simulatedPlatforms
    embeddings
    limits {
      messageCharacters
      documentBytes
      audioBytes
    }
  }
}
    `) as unknown as TypedDocumentString<ServiceQuery, ServiceQueryVariables>;
export const AgentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Agents($sort: AgentSort, $after: String) {
  agents(limit: 50, sort: $sort, after: $after) {
    data {
      ...AgentFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  instructions
  model
  voiceId
  category
  greetingMessage
  isPublic
  messageCount
  creatorId
  documentCount
  updatedAt
  picture {
    ...PictureParts
  }
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<AgentsQuery, AgentsQueryVariables>;
export const AgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Agent($id: ID!) {
  agent(id: $id) {
    ...AgentFields
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  instructions
  model
  voiceId
  category
  greetingMessage
  isPublic
  messageCount
  creatorId
  documentCount
  updatedAt
  picture {
    ...PictureParts
  }
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<AgentQuery, AgentQueryVariables>;
export const AgentChoicesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AgentChoices {
  models {
    data {
      id
      name
      description
    }
  }
  voices {
    data {
      id
      name
      description
    }
  }
}
    `) as unknown as TypedDocumentString<AgentChoicesQuery, AgentChoicesQueryVariables>;
export const CreateAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateAgent($input: CreateAgentInput!) {
  createAgent(input: $input) {
    ...AgentFields
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  instructions
  model
  voiceId
  category
  greetingMessage
  isPublic
  messageCount
  creatorId
  documentCount
  updatedAt
  picture {
    ...PictureParts
  }
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<CreateAgentMutation, CreateAgentMutationVariables>;
export const UpdateAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateAgent($id: ID!, $input: UpdateAgentInput!) {
  updateAgent(id: $id, input: $input) {
    ...AgentFields
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  instructions
  model
  voiceId
  category
  greetingMessage
  isPublic
  messageCount
  creatorId
  documentCount
  updatedAt
  picture {
    ...PictureParts
  }
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<UpdateAgentMutation, UpdateAgentMutationVariables>;
export const DeleteAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteAgent($id: ID!) {
  deleteAgent(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteAgentMutation, DeleteAgentMutationVariables>;
export const PreviewStreamDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription PreviewStream($agent: CreateAgentInput!, $messages: [PreviewMessageInput!]!, $agentId: ID) {
  previewStream(agent: $agent, messages: $messages, agentId: $agentId) {
    __typename
    ... on PreviewDelta {
      content
      end
    }
    ... on PreviewError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PreviewStreamSubscription, PreviewStreamSubscriptionVariables>;
export const ApiKeysDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ApiKeys {
  apiKeys {
    data {
      ...ApiKeyFields
    }
  }
}
    fragment ApiKeyFields on ApiKey {
  id
  name
  keyHint
  scopes
  lastUsedAt
  expiresAt
  createdAt
}`) as unknown as TypedDocumentString<ApiKeysQuery, ApiKeysQueryVariables>;
export const CreateApiKeyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateApiKey($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    id
    key
    scopes
  }
}
    `) as unknown as TypedDocumentString<CreateApiKeyMutation, CreateApiKeyMutationVariables>;
export const RotateApiKeyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RotateApiKey($id: ID!, $input: RotateApiKeyInput) {
  rotateApiKey(id: $id, input: $input) {
    id
    key
    scopes
  }
}
    `) as unknown as TypedDocumentString<RotateApiKeyMutation, RotateApiKeyMutationVariables>;
export const RevokeApiKeyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeApiKey($id: ID!) {
  revokeApiKey(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;
export const LiveEventsDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription LiveEvents($after: ID) {
  events(after: $after) {
    id
    type
    createdAt
    data
  }
}
    `) as unknown as TypedDocumentString<LiveEventsSubscription, LiveEventsSubscriptionVariables>;
export const PlansDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Plans {
  plans {
    data {
      plan
      prices {
        interval
        amount
        currency
      }
      features
    }
  }
}
    `) as unknown as TypedDocumentString<PlansQuery, PlansQueryVariables>;
export const SubscriptionDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Subscription {
  subscription {
    id
    plan
    status
    interval
    currentPeriodStart
    currentPeriodEnd
    cancelAt
    pendingPlan
    pendingInterval
    processorCustomerId
  }
}
    `) as unknown as TypedDocumentString<SubscriptionQuery, SubscriptionQueryVariables>;
export const PaymentMethodDocument = /*#__PURE__*/ new TypedDocumentString(`
    query PaymentMethod {
  subscription {
    id
    paymentMethod {
      brand
      last4
      expires {
        month
        year
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PaymentMethodQuery, PaymentMethodQueryVariables>;
export const InvoicesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Invoices($after: String) {
  invoices(limit: 20, after: $after) {
    data {
      id
      number
      amount
      currency
      status
      plan
      periodStart
      periodEnd
      invoicePdf
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<InvoicesQuery, InvoicesQueryVariables>;
export const PreviewSubscriptionChangeDocument = /*#__PURE__*/ new TypedDocumentString(`
    query PreviewSubscriptionChange($plan: PaidPlan!, $interval: BillingInterval) {
  previewSubscriptionChange(plan: $plan, interval: $interval) {
    plan
    currentPlan
    interval
    prorationAmount
    prorationCurrency
    nextAmount
    nextPaymentAt
    effectiveAt
    resumes
  }
}
    `) as unknown as TypedDocumentString<PreviewSubscriptionChangeQuery, PreviewSubscriptionChangeQueryVariables>;
export const CreateCheckoutDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateCheckout($input: CheckoutInput!) {
  createCheckout(input: $input) {
    checkoutUrl
  }
}
    `) as unknown as TypedDocumentString<CreateCheckoutMutation, CreateCheckoutMutationVariables>;
export const ChangeSubscriptionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ChangeSubscription($input: ChangeSubscriptionInput!) {
  changeSubscription(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<ChangeSubscriptionMutation, ChangeSubscriptionMutationVariables>;
export const CancelSubscriptionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CancelSubscription {
  cancelSubscription {
    message
  }
}
    `) as unknown as TypedDocumentString<CancelSubscriptionMutation, CancelSubscriptionMutationVariables>;
export const ResumeSubscriptionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResumeSubscription {
  resumeSubscription {
    id
  }
}
    `) as unknown as TypedDocumentString<ResumeSubscriptionMutation, ResumeSubscriptionMutationVariables>;
export const CreatePortalSessionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreatePortalSession {
  createPortalSession {
    portalUrl
  }
}
    `) as unknown as TypedDocumentString<CreatePortalSessionMutation, CreatePortalSessionMutationVariables>;
export const MessageStreamDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription MessageStream($conversationId: ID!, $content: String!) {
  messageStream(conversationId: $conversationId, input: {content: $content}) {
    ...ReplyEvent
  }
}
    fragment ReplyEvent on MessageStreamEvent {
  __typename
  ... on MessageDelta {
    generationId
    content
    end
  }
  ... on MessageDone {
    messageId
    userMessageId
    generationId
    stopped
  }
  ... on MessageError {
    generationId
    code
    message
    retryAfterSeconds
    messageId
  }
}`) as unknown as TypedDocumentString<MessageStreamSubscription, MessageStreamSubscriptionVariables>;
export const RegenerateStreamDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription RegenerateStream($conversationId: ID!, $messageId: ID!) {
  regenerateStream(conversationId: $conversationId, messageId: $messageId) {
    ...ReplyEvent
  }
}
    fragment ReplyEvent on MessageStreamEvent {
  __typename
  ... on MessageDelta {
    generationId
    content
    end
  }
  ... on MessageDone {
    messageId
    userMessageId
    generationId
    stopped
  }
  ... on MessageError {
    generationId
    code
    message
    retryAfterSeconds
    messageId
  }
}`) as unknown as TypedDocumentString<RegenerateStreamSubscription, RegenerateStreamSubscriptionVariables>;
export const EditStreamDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription EditStream($conversationId: ID!, $messageId: ID!, $content: String!) {
  editStream(
    conversationId: $conversationId
    messageId: $messageId
    input: {content: $content}
  ) {
    ...ReplyEvent
  }
}
    fragment ReplyEvent on MessageStreamEvent {
  __typename
  ... on MessageDelta {
    generationId
    content
    end
  }
  ... on MessageDone {
    messageId
    userMessageId
    generationId
    stopped
  }
  ... on MessageError {
    generationId
    code
    message
    retryAfterSeconds
    messageId
  }
}`) as unknown as TypedDocumentString<EditStreamSubscription, EditStreamSubscriptionVariables>;
export const GenerationStreamDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription GenerationStream($conversationId: ID!, $generationId: ID!, $from: Int) {
  generationStream(
    conversationId: $conversationId
    generationId: $generationId
    from: $from
  ) {
    ...ReplyEvent
  }
}
    fragment ReplyEvent on MessageStreamEvent {
  __typename
  ... on MessageDelta {
    generationId
    content
    end
  }
  ... on MessageDone {
    messageId
    userMessageId
    generationId
    stopped
  }
  ... on MessageError {
    generationId
    code
    message
    retryAfterSeconds
    messageId
  }
}`) as unknown as TypedDocumentString<GenerationStreamSubscription, GenerationStreamSubscriptionVariables>;
export const RunningGenerationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query RunningGeneration($id: ID!) {
  conversation(id: $id) {
    id
    generation {
      id
      state
    }
  }
}
    `) as unknown as TypedDocumentString<RunningGenerationQuery, RunningGenerationQueryVariables>;
export const ConversationsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Conversations($limit: Int, $after: String, $filter: ConversationFilter) {
  conversations(limit: $limit, after: $after, filter: $filter) {
    data {
      id
      title
      updatedAt
      pinnedAt
      lastMessage {
        excerpt
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ConversationsQuery, ConversationsQueryVariables>;
export const ConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Conversation($id: ID!) {
  ...ConversationParts
}
    fragment ConversationParts on Query {
  conversation(id: $id) {
    id
    title
    pinnedAt
    archivedAt
    agentId
    agent {
      id
      name
      description
      creatorId
      isMine
      voiceId
      picture {
        ...PictureParts
      }
    }
    generation {
      id
      state
      userMessageId
      error {
        code
        message
      }
    }
  }
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<ConversationQuery, ConversationQueryVariables>;
export const MessagesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Messages($conversationId: ID!, $limit: Int, $after: String, $newerThan: String, $around: ID) {
  ...MessagesParts
}
    fragment ThreadMessage on Message {
  id
  role
  content
  broken
  createdAt
  branchIds
  feedback {
    rating
    comment
    sharedAt
  }
  citations {
    chunkId
    documentId
    filename
    chunkIndex
    place
    excerpt
    marks
  }
  generation {
    stopped
    durationMs
    usage {
      inputTokens
      outputTokens
    }
    error {
      message
    }
  }
}
fragment MessagesParts on Query {
  messages(
    conversationId: $conversationId
    limit: $limit
    after: $after
    newerThan: $newerThan
    around: $around
  ) {
    data {
      ...ThreadMessage
    }
    startCursor
    hasNewer
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`) as unknown as TypedDocumentString<MessagesQuery, MessagesQueryVariables>;
export const OpenConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query OpenConversation($id: ID!, $conversationId: ID!, $limit: Int, $after: String, $newerThan: String, $around: ID) {
  ...AccountParts
  ...ConversationParts
  ...MessagesParts
}
    fragment AccountParts on Query {
  me {
    id
    email
    username
    displayName
    emailVerified
    plan
    isModerator
    picture {
      small
      medium
    }
  }
  subscription {
    status
  }
  service {
    now
  }
  recentEvents(limit: 1) {
    data {
      id
    }
  }
}
fragment ThreadMessage on Message {
  id
  role
  content
  broken
  createdAt
  branchIds
  feedback {
    rating
    comment
    sharedAt
  }
  citations {
    chunkId
    documentId
    filename
    chunkIndex
    place
    excerpt
    marks
  }
  generation {
    stopped
    durationMs
    usage {
      inputTokens
      outputTokens
    }
    error {
      message
    }
  }
}
fragment ConversationParts on Query {
  conversation(id: $id) {
    id
    title
    pinnedAt
    archivedAt
    agentId
    agent {
      id
      name
      description
      creatorId
      isMine
      voiceId
      picture {
        ...PictureParts
      }
    }
    generation {
      id
      state
      userMessageId
      error {
        code
        message
      }
    }
  }
}
fragment MessagesParts on Query {
  messages(
    conversationId: $conversationId
    limit: $limit
    after: $after
    newerThan: $newerThan
    around: $around
  ) {
    data {
      ...ThreadMessage
    }
    startCursor
    hasNewer
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<OpenConversationQuery, OpenConversationQueryVariables>;
export const CreateConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateConversation($input: CreateConversationInput!) {
  createConversation(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateConversationMutation, CreateConversationMutationVariables>;
export const RenameConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RenameConversation($id: ID!, $title: String!) {
  updateConversation(id: $id, input: {title: $title}) {
    id
    title
  }
}
    `) as unknown as TypedDocumentString<RenameConversationMutation, RenameConversationMutationVariables>;
export const ArrangeConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ArrangeConversation($id: ID!, $pinned: Boolean, $archived: Boolean) {
  updateConversation(id: $id, input: {pinned: $pinned, archived: $archived}) {
    id
    pinnedAt
    archivedAt
  }
}
    `) as unknown as TypedDocumentString<ArrangeConversationMutation, ArrangeConversationMutationVariables>;
export const DeleteConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteConversation($id: ID!) {
  deleteConversation(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteConversationMutation, DeleteConversationMutationVariables>;
export const StopGenerationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation StopGeneration($conversationId: ID!) {
  stopGeneration(conversationId: $conversationId) {
    stopped
  }
}
    `) as unknown as TypedDocumentString<StopGenerationMutation, StopGenerationMutationVariables>;
export const ActivateMessageDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ActivateMessage($conversationId: ID!, $messageId: ID!) {
  activateMessage(conversationId: $conversationId, messageId: $messageId) {
    conversationId
  }
}
    `) as unknown as TypedDocumentString<ActivateMessageMutation, ActivateMessageMutationVariables>;
export const GiveFeedbackDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation GiveFeedback($conversationId: ID!, $messageId: ID!, $input: FeedbackInput!) {
  giveFeedback(
    conversationId: $conversationId
    messageId: $messageId
    input: $input
  ) {
    rating
    comment
    sharedAt
  }
}
    `) as unknown as TypedDocumentString<GiveFeedbackMutation, GiveFeedbackMutationVariables>;
export const ExportConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ExportConversation($conversationId: ID!, $format: ExportFormat!) {
  exportConversation(conversationId: $conversationId, format: $format)
}
    `) as unknown as TypedDocumentString<ExportConversationQuery, ExportConversationQueryVariables>;
export const ConversationAgentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ConversationAgents {
  conversations(limit: 100) {
    data {
      id
      agent {
        id
        name
        isMine
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConversationAgentsQuery, ConversationAgentsQueryVariables>;
export const SearchConversationsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query SearchConversations($q: String!, $limit: Int, $after: String, $agentId: ID, $since: DateTimeISO) {
  searchConversations(
    q: $q
    limit: $limit
    after: $after
    agentId: $agentId
    since: $since
  ) {
    data {
      conversation {
        id
        title
      }
      highlight
      message {
        id
        role
        createdAt
      }
    }
    hasMore
    total
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SearchConversationsQuery, SearchConversationsQueryVariables>;
export const MyChatAgentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query MyChatAgents($after: String) {
  agents(limit: 100, sort: UPDATED_AT, after: $after) {
    data {
      id
      name
      description
      picture {
        ...PictureParts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<MyChatAgentsQuery, MyChatAgentsQueryVariables>;
export const PublicChatAgentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query PublicChatAgents($q: String) {
  exploreAgents(limit: 20, q: $q) {
    data {
      id
      name
      description
      picture {
        ...PictureParts
      }
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<PublicChatAgentsQuery, PublicChatAgentsQueryVariables>;
export const ChatAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ChatAgent($id: ID!) {
  agent(id: $id) {
    id
    name
    description
    greetingMessage
    picture {
      ...PictureParts
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<ChatAgentQuery, ChatAgentQueryVariables>;
export const EmbedsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Embeds($after: String) {
  embeds(limit: 50, after: $after) {
    data {
      id
      agentId
      name
      active
      allowedOrigins
      messageCount
      visitorCount
    }
    total
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<EmbedsQuery, EmbedsQueryVariables>;
export const EmbedDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Embed($id: ID!) {
  embed(id: $id) {
    ...EmbedFields
  }
}
    fragment EmbedFields on Embed {
  id
  agentId
  name
  active
  allowedOrigins
  test
  identity
  limits {
    perDay
    perVisitorDay
    perAddressHour
  }
  challenge
  challengeSiteKey
  appearance {
    title
    color
    position
    avatar
    starters
    language
    dark
  }
  retentionDays
  notice
  messageCount
  visitorCount
  snippet
}`) as unknown as TypedDocumentString<EmbedQuery, EmbedQueryVariables>;
export const EmbedStatsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query EmbedStats($id: ID!, $days: Int) {
  embedStats(id: $id, days: $days) {
    days {
      date
      visitors
      messages
      cost
      refused {
        perDay
        perVisitorDay
        perAddressHour
      }
      identityFaults {
        fault
        count
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EmbedStatsQuery, EmbedStatsQueryVariables>;
export const EmbedVisitorsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query EmbedVisitors($id: ID!, $after: String) {
  embedVisitors(id: $id, limit: 20, after: $after) {
    data {
      id
      externalId
      name
      conversationId
      createdAt
      lastSeenAt
    }
    total
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<EmbedVisitorsQuery, EmbedVisitorsQueryVariables>;
export const CreateEmbedDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateEmbed($input: CreateEmbedInput!) {
  createEmbed(input: $input) {
    id
    identitySecret
  }
}
    `) as unknown as TypedDocumentString<CreateEmbedMutation, CreateEmbedMutationVariables>;
export const UpdateEmbedDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateEmbed($id: ID!, $input: UpdateEmbedInput!) {
  updateEmbed(id: $id, input: $input) {
    ...EmbedFields
  }
}
    fragment EmbedFields on Embed {
  id
  agentId
  name
  active
  allowedOrigins
  test
  identity
  limits {
    perDay
    perVisitorDay
    perAddressHour
  }
  challenge
  challengeSiteKey
  appearance {
    title
    color
    position
    avatar
    starters
    language
    dark
  }
  retentionDays
  notice
  messageCount
  visitorCount
  snippet
}`) as unknown as TypedDocumentString<UpdateEmbedMutation, UpdateEmbedMutationVariables>;
export const DeleteEmbedDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteEmbed($id: ID!, $keepConversations: Boolean) {
  deleteEmbed(id: $id, keepConversations: $keepConversations) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteEmbedMutation, DeleteEmbedMutationVariables>;
export const RotateEmbedSecretDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RotateEmbedSecret($id: ID!) {
  rotateEmbedSecret(id: $id) {
    id
    identitySecret
  }
}
    `) as unknown as TypedDocumentString<RotateEmbedSecretMutation, RotateEmbedSecretMutationVariables>;
export const DeleteEmbedVisitorDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteEmbedVisitor($id: ID!, $visitorId: ID!) {
  deleteEmbedVisitor(id: $id, visitorId: $visitorId) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteEmbedVisitorMutation, DeleteEmbedVisitorMutationVariables>;
export const RecentEventsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query RecentEvents($types: [WebhookEventType!], $before: ID) {
  recentEvents(types: $types, limit: 50, before: $before) {
    data {
      id
      type
      createdAt
      data
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<RecentEventsQuery, RecentEventsQueryVariables>;
export const ExploreDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Explore($category: AgentCategory, $sort: ExploreSort, $q: String, $after: String) {
  exploreAgents(category: $category, sort: $sort, q: $q, limit: 24, after: $after) {
    data {
      id
      name
      description
      category
      messageCount
      isMine
      picture {
        ...PictureParts
      }
      creator {
        ...Author
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Author on PublicProfile {
  username
  displayName
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<ExploreQuery, ExploreQueryVariables>;
export const ExploredAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ExploredAgent($id: ID!) {
  agent(id: $id) {
    id
    name
    description
    category
    greetingMessage
    messageCount
    createdAt
    isMine
    isPublic
    picture {
      ...PictureParts
    }
    creator {
      ...Author
    }
  }
}
    fragment Author on PublicProfile {
  username
  displayName
}
fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<ExploredAgentQuery, ExploredAgentQueryVariables>;
export const ImagesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Images($kind: ImageKind!, $agentId: ID, $limit: Int) {
  images(kind: $kind, agentId: $agentId, limit: $limit) {
    data {
      ...ImageParts
    }
    total
  }
  me {
    plan
  }
}
    fragment ImageParts on Image {
  id
  status
  source
  prompt
  urls {
    medium
    large
  }
  placeholder
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<ImagesQuery, ImagesQueryVariables>;
export const MakeImagesDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation MakeImages($input: GenerateImagesInput!) {
  generateImages(input: $input) {
    data {
      ...ImageParts
    }
  }
}
    fragment ImageParts on Image {
  id
  status
  source
  prompt
  urls {
    medium
    large
  }
  placeholder
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<MakeImagesMutation, MakeImagesMutationVariables>;
export const ApplyImageDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ApplyImage($id: ID!, $input: ApplyImageInput!) {
  applyImage(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<ApplyImageMutation, ApplyImageMutationVariables>;
export const DeleteImageDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteImage($id: ID!, $force: Boolean) {
  deleteImage(id: $id, force: $force) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteImageMutation, DeleteImageMutationVariables>;
export const RemoveAgentPictureDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RemoveAgentPicture($id: ID!) {
  updateAgent(id: $id, input: {avatarUrl: null}) {
    id
  }
}
    `) as unknown as TypedDocumentString<RemoveAgentPictureMutation, RemoveAgentPictureMutationVariables>;
export const MyPictureDocument = /*#__PURE__*/ new TypedDocumentString(`
    query MyPicture {
  me {
    id
    username
    displayName
    picture {
      ...PictureParts
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<MyPictureQuery, MyPictureQueryVariables>;
export const RemoveMyPictureDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RemoveMyPicture {
  updateMe(input: {avatarUrl: null}) {
    id
  }
}
    `) as unknown as TypedDocumentString<RemoveMyPictureMutation, RemoveMyPictureMutationVariables>;
export const IntegrationsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Integrations {
  integrations {
    data {
      ...IntegrationFields
    }
  }
}
    fragment IntegrationFields on Integration {
  id
  platform
  agentId
  status
  guildId
  workspaceId
  channelIds
  autoRespond
  messageCount
  connectedAt
  lastMessageAt
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<IntegrationsQuery, IntegrationsQueryVariables>;
export const IntegrationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Integration($id: ID!) {
  integration(id: $id) {
    ...IntegrationFields
  }
}
    fragment IntegrationFields on Integration {
  id
  platform
  agentId
  status
  guildId
  workspaceId
  channelIds
  autoRespond
  messageCount
  connectedAt
  lastMessageAt
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<IntegrationQuery, IntegrationQueryVariables>;
export const IntegrationEventsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query IntegrationEvents($id: ID!) {
  recentEvents(
    types: [INTEGRATION_CONNECTED, INTEGRATION_DISCONNECTED, INTEGRATION_ERROR]
    subject: $id
    limit: 100
  ) {
    data {
      id
      type
      createdAt
      data
    }
  }
}
    `) as unknown as TypedDocumentString<IntegrationEventsQuery, IntegrationEventsQueryVariables>;
export const DiscoverChannelsDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DiscoverChannels($input: DiscoverChannelsInput!) {
  discoverChannels(input: $input) {
    botName
    isComplete
    places {
      id
      name
      channels {
        id
        name
        isMember
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DiscoverChannelsMutation, DiscoverChannelsMutationVariables>;
export const ConnectServerDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ConnectServer($input: ConnectServerInput!) {
  connectServer(input: $input) {
    ...IntegrationFields
  }
}
    fragment IntegrationFields on Integration {
  id
  platform
  agentId
  status
  guildId
  workspaceId
  channelIds
  autoRespond
  messageCount
  connectedAt
  lastMessageAt
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<ConnectServerMutation, ConnectServerMutationVariables>;
export const ConnectMessengerDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ConnectMessenger($input: ConnectMessengerInput!) {
  connectMessenger(input: $input) {
    ...IntegrationFields
  }
}
    fragment IntegrationFields on Integration {
  id
  platform
  agentId
  status
  guildId
  workspaceId
  channelIds
  autoRespond
  messageCount
  connectedAt
  lastMessageAt
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<ConnectMessengerMutation, ConnectMessengerMutationVariables>;
export const ConnectWorkspaceDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ConnectWorkspace($input: ConnectWorkspaceInput!) {
  connectWorkspace(input: $input) {
    ...IntegrationFields
  }
}
    fragment IntegrationFields on Integration {
  id
  platform
  agentId
  status
  guildId
  workspaceId
  channelIds
  autoRespond
  messageCount
  connectedAt
  lastMessageAt
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<ConnectWorkspaceMutation, ConnectWorkspaceMutationVariables>;
export const UpdateIntegrationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateIntegration($id: ID!, $input: UpdateIntegrationInput!) {
  updateIntegration(id: $id, input: $input) {
    ...IntegrationFields
  }
}
    fragment IntegrationFields on Integration {
  id
  platform
  agentId
  status
  guildId
  workspaceId
  channelIds
  autoRespond
  messageCount
  connectedAt
  lastMessageAt
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<UpdateIntegrationMutation, UpdateIntegrationMutationVariables>;
export const DeleteIntegrationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteIntegrationMutation, DeleteIntegrationMutationVariables>;
export const TestIntegrationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation TestIntegration($id: ID!) {
  testIntegration(id: $id) {
    testResult {
      success
      latencyMs
      error {
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TestIntegrationMutation, TestIntegrationMutationVariables>;
export const DocumentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Documents($agentId: ID!, $after: String) {
  documents(agentId: $agentId, limit: 50, after: $after) {
    data {
      ...DocumentFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment DocumentFields on Document {
  id
  filename
  sizeBytes
  status
  chunkCount
  createdAt
  replaces
  error {
    code
    message
  }
  reading {
    notes {
      code
    }
  }
  processing {
    chunksDone
    chunksTotal
  }
}`) as unknown as TypedDocumentString<DocumentsQuery, DocumentsQueryVariables>;
export const DocumentUpdatesDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription DocumentUpdates($agentId: ID!) {
  documentUpdates(agentId: $agentId) {
    ...DocumentFields
  }
}
    fragment DocumentFields on Document {
  id
  filename
  sizeBytes
  status
  chunkCount
  createdAt
  replaces
  error {
    code
    message
  }
  reading {
    notes {
      code
    }
  }
  processing {
    chunksDone
    chunksTotal
  }
}`) as unknown as TypedDocumentString<DocumentUpdatesSubscription, DocumentUpdatesSubscriptionVariables>;
export const KnowledgeDocumentDocument = /*#__PURE__*/ new TypedDocumentString(`
    query KnowledgeDocument($agentId: ID!, $docId: ID!) {
  document(agentId: $agentId, docId: $docId) {
    ...DocumentFields
    reading {
      encoding
      notes {
        code
        message
        places
      }
    }
  }
}
    fragment DocumentFields on Document {
  id
  filename
  sizeBytes
  status
  chunkCount
  createdAt
  replaces
  error {
    code
    message
  }
  reading {
    notes {
      code
    }
  }
  processing {
    chunksDone
    chunksTotal
  }
}`) as unknown as TypedDocumentString<KnowledgeDocumentQuery, KnowledgeDocumentQueryVariables>;
export const DocumentChunksDocument = /*#__PURE__*/ new TypedDocumentString(`
    query DocumentChunks($agentId: ID!, $docId: ID!, $q: String, $limit: Int, $offset: Int) {
  documentChunks(
    agentId: $agentId
    docId: $docId
    q: $q
    limit: $limit
    offset: $offset
  ) {
    data {
      id
      chunkIndex
      place
      content
      tokens
      overlap
    }
    total
  }
}
    `) as unknown as TypedDocumentString<DocumentChunksQuery, DocumentChunksQueryVariables>;
export const KnowledgeAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    query KnowledgeAgent($id: ID!) {
  agent(id: $id) {
    id
    name
  }
}
    `) as unknown as TypedDocumentString<KnowledgeAgentQuery, KnowledgeAgentQueryVariables>;
export const RetryDocumentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RetryDocument($agentId: ID!, $docId: ID!) {
  retryDocument(agentId: $agentId, docId: $docId) {
    ...DocumentFields
  }
}
    fragment DocumentFields on Document {
  id
  filename
  sizeBytes
  status
  chunkCount
  createdAt
  replaces
  error {
    code
    message
  }
  reading {
    notes {
      code
    }
  }
  processing {
    chunksDone
    chunksTotal
  }
}`) as unknown as TypedDocumentString<RetryDocumentMutation, RetryDocumentMutationVariables>;
export const DeleteDocumentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteDocument($agentId: ID!, $docId: ID!) {
  deleteDocument(agentId: $agentId, docId: $docId) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteDocumentMutation, DeleteDocumentMutationVariables>;
export const QueryKnowledgeDocument = /*#__PURE__*/ new TypedDocumentString(`
    query QueryKnowledge($agentId: ID!, $input: QueryKnowledgeInput!) {
  queryKnowledge(agentId: $agentId, input: $input) {
    results {
      chunkId
      documentId
      filename
      chunkIndex
      content
      similarity
      reason {
        words
        coverage
        nearness
        score
      }
    }
  }
}
    `) as unknown as TypedDocumentString<QueryKnowledgeQuery, QueryKnowledgeQueryVariables>;
export const MarketplaceHomeDocument = /*#__PURE__*/ new TypedDocumentString(`
    query MarketplaceHome {
  marketplaceHome {
    featured {
      ...ListingCard
    }
    trending {
      ...ListingCard
    }
    new {
      ...ListingCard
    }
    categories {
      category
      data {
        ...ListingCard
      }
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment ListingCard on Listing {
  agentId
  slug
  name
  description
  category
  messageCount
  likeCount
  rating
  reviewCount
  people
  isMine
  picture {
    ...PictureParts
  }
  creator {
    id
    username
    displayName
  }
}`) as unknown as TypedDocumentString<MarketplaceHomeQuery, MarketplaceHomeQueryVariables>;
export const MarketplaceDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Marketplace($q: String, $category: AgentCategory, $tag: String, $language: String, $sort: MarketplaceSort, $mature: Boolean, $after: String) {
  marketplace(
    q: $q
    category: $category
    tag: $tag
    language: $language
    sort: $sort
    mature: $mature
    limit: 24
    after: $after
  ) {
    data {
      ...ListingCard
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment ListingCard on Listing {
  agentId
  slug
  name
  description
  category
  messageCount
  likeCount
  rating
  reviewCount
  people
  isMine
  picture {
    ...PictureParts
  }
  creator {
    id
    username
    displayName
  }
}`) as unknown as TypedDocumentString<MarketplaceQuery, MarketplaceQueryVariables>;
export const ListingDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Listing($id: ID!) {
  listing(id: $id) {
    ...ListingCard
    about
    starters
    tags
    language
    bannerUrl
    allowCopies
    copiedFrom
    contentRating
    greetingMessage
    instructions
    liked
    featured
    status
    movedTo
    publishedAt
    myReview {
      ...ReviewParts
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment ListingCard on Listing {
  agentId
  slug
  name
  description
  category
  messageCount
  likeCount
  rating
  reviewCount
  people
  isMine
  picture {
    ...PictureParts
  }
  creator {
    id
    username
    displayName
  }
}
fragment ReviewParts on Review {
  id
  agentId
  rating
  text
  ownerReply
  isMine
  createdAt
  updatedAt
  author {
    ...Person
  }
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<ListingQuery, ListingQueryVariables>;
export const ReviewsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Reviews($agentId: ID!, $after: String) {
  reviews(agentId: $agentId, limit: 10, after: $after) {
    data {
      ...ReviewParts
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment ReviewParts on Review {
  id
  agentId
  rating
  text
  ownerReply
  isMine
  createdAt
  updatedAt
  author {
    ...Person
  }
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<ReviewsQuery, ReviewsQueryVariables>;
export const CopyAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CopyAgent($agentId: ID!) {
  copyAgent(agentId: $agentId) {
    id
  }
}
    `) as unknown as TypedDocumentString<CopyAgentMutation, CopyAgentMutationVariables>;
export const ReviewAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ReviewAgent($agentId: ID!, $input: ReviewInput!) {
  reviewAgent(agentId: $agentId, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<ReviewAgentMutation, ReviewAgentMutationVariables>;
export const DeleteReviewDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteReview($agentId: ID!) {
  deleteReview(agentId: $agentId) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteReviewMutation, DeleteReviewMutationVariables>;
export const ReplyToReviewDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ReplyToReview($id: ID!, $input: ReplyInput!) {
  replyToReview(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<ReplyToReviewMutation, ReplyToReviewMutationVariables>;
export const LikeDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Like($agentId: ID!) {
  like(agentId: $agentId) {
    liked
  }
}
    `) as unknown as TypedDocumentString<LikeMutation, LikeMutationVariables>;
export const UnlikeDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Unlike($agentId: ID!) {
  unlike(agentId: $agentId) {
    liked
  }
}
    `) as unknown as TypedDocumentString<UnlikeMutation, UnlikeMutationVariables>;
export const AgentListingDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AgentListing($agentId: ID!) {
  agentListing(agentId: $agentId) {
    ...ListingCard
    status
    about
    starters
    tags
    language
    bannerUrl
    allowCopies
    contentRating
    views
    publishedAt
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment ListingCard on Listing {
  agentId
  slug
  name
  description
  category
  messageCount
  likeCount
  rating
  reviewCount
  people
  isMine
  picture {
    ...PictureParts
  }
  creator {
    id
    username
    displayName
  }
}`) as unknown as TypedDocumentString<AgentListingQuery, AgentListingQueryVariables>;
export const UpdateListingDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateListing($agentId: ID!, $input: ListingInput!) {
  updateListing(agentId: $agentId, input: $input) {
    agentId
  }
}
    `) as unknown as TypedDocumentString<UpdateListingMutation, UpdateListingMutationVariables>;
export const PublishAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation PublishAgent($id: ID!, $isPublic: Boolean!) {
  updateAgent(id: $id, input: {isPublic: $isPublic}) {
    id
  }
}
    `) as unknown as TypedDocumentString<PublishAgentMutation, PublishAgentMutationVariables>;
export const ModerationCasesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ModerationCases($state: ModerationCaseState, $after: String) {
  moderationCases(state: $state, limit: 30, after: $after) {
    data {
      ...CaseParts
    }
    total
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment CaseParts on ModerationCase {
  subjectType
  subjectId
  open
  reporterCount
  reportCount
  marks
  appealedAt
  openedAt
  updatedAt
  author {
    username
    displayName
  }
}`) as unknown as TypedDocumentString<ModerationCasesQuery, ModerationCasesQueryVariables>;
export const ModerationCaseDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ModerationCase($subjectType: String!, $subjectId: ID!) {
  moderationCase(subjectType: $subjectType, subjectId: $subjectId) {
    case {
      ...CaseParts
    }
    subject {
      title
      text
      imageUrl
      pictureUrl
      state
    }
    reports {
      ...ReportParts
    }
    decisions {
      ...DecisionParts
    }
  }
}
    fragment CaseParts on ModerationCase {
  subjectType
  subjectId
  open
  reporterCount
  reportCount
  marks
  appealedAt
  openedAt
  updatedAt
  author {
    username
    displayName
  }
}
fragment DecisionParts on ModerationDecision {
  id
  subjectType
  subjectId
  action
  reason
  statement
  automated
  createdAt
  appeal {
    text
    createdAt
    outcome
    decidedAt
  }
}
fragment ReportParts on Report {
  id
  subjectType
  subjectId
  reason
  comment
  status
  createdAt
  decidedAt
}`) as unknown as TypedDocumentString<ModerationCaseQuery, ModerationCaseQueryVariables>;
export const FeaturedAgentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query FeaturedAgents {
  marketplaceHome {
    featured {
      agentId
      slug
      name
      description
      picture {
        ...PictureParts
      }
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<FeaturedAgentsQuery, FeaturedAgentsQueryVariables>;
export const OwnReportsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query OwnReports($after: String) {
  reports(limit: 20, after: $after) {
    data {
      ...ReportParts
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment ReportParts on Report {
  id
  subjectType
  subjectId
  reason
  comment
  status
  createdAt
  decidedAt
}`) as unknown as TypedDocumentString<OwnReportsQuery, OwnReportsQueryVariables>;
export const OwnDecisionsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query OwnDecisions($after: String) {
  moderationDecisions(limit: 20, after: $after) {
    data {
      ...DecisionParts
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment DecisionParts on ModerationDecision {
  id
  subjectType
  subjectId
  action
  reason
  statement
  automated
  createdAt
  appeal {
    text
    createdAt
    outcome
    decidedAt
  }
}`) as unknown as TypedDocumentString<OwnDecisionsQuery, OwnDecisionsQueryVariables>;
export const ReportDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Report($input: ReportInput!) {
  report(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<ReportMutation, ReportMutationVariables>;
export const DecideModerationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DecideModeration($input: DecideInput!) {
  decideModeration(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<DecideModerationMutation, DecideModerationMutationVariables>;
export const AppealDecisionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation AppealDecision($id: ID!, $input: AppealInput!) {
  appealDecision(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<AppealDecisionMutation, AppealDecisionMutationVariables>;
export const FeatureAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation FeatureAgent($agentId: ID!) {
  featureAgent(agentId: $agentId) {
    agentId
  }
}
    `) as unknown as TypedDocumentString<FeatureAgentMutation, FeatureAgentMutationVariables>;
export const StopFeaturingAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation StopFeaturingAgent($agentId: ID!) {
  stopFeaturingAgent(agentId: $agentId) {
    id
  }
}
    `) as unknown as TypedDocumentString<StopFeaturingAgentMutation, StopFeaturingAgentMutationVariables>;
export const MyPreferencesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query MyPreferences {
  me {
    id
    preferences {
      ...StoredPreferences
    }
  }
}
    fragment StoredPreferences on Preferences {
  theme
  density
  sendKey
  singleKeys
  readAloud
  followReplies
  reduceMotion
  language
}`) as unknown as TypedDocumentString<MyPreferencesQuery, MyPreferencesQueryVariables>;
export const UpdatePreferencesDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdatePreferences($input: UpdatePreferencesInput!) {
  updatePreferences(input: $input) {
    ...StoredPreferences
  }
}
    fragment StoredPreferences on Preferences {
  theme
  density
  sendKey
  singleKeys
  readAloud
  followReplies
  reduceMotion
  language
}`) as unknown as TypedDocumentString<UpdatePreferencesMutation, UpdatePreferencesMutationVariables>;
export const RoomsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Rooms($after: String) {
  rooms(limit: 50, after: $after) {
    data {
      id
      name
      description
      people
      agents {
        agentId
        name
      }
      myRole
      myState
      unreadCount
      lastMessageAt
    }
    total
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<RoomsQuery, RoomsQueryVariables>;
export const RoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Room($id: ID!) {
  room(id: $id) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<RoomQuery, RoomQueryVariables>;
export const RoomMembersDocument = /*#__PURE__*/ new TypedDocumentString(`
    query RoomMembers($roomId: ID!) {
  roomMembers(roomId: $roomId, limit: 100) {
    data {
      ...RoomMemberFields
    }
  }
}
    fragment RoomMemberFields on RoomMember {
  userId
  username
  displayName
  picture {
    small
    medium
  }
  role
  state
  mutedUntil
  lastReadPosition
  showsPresence
}`) as unknown as TypedDocumentString<RoomMembersQuery, RoomMembersQueryVariables>;
export const RoomMessagesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query RoomMessages($roomId: ID!, $limit: Int, $before: ID) {
  roomMessages(roomId: $roomId, limit: $limit, before: $before) {
    data {
      ...RoomMessageFields
    }
    hasMore
  }
}
    fragment RoomMessageFields on RoomMessage {
  id
  position
  author {
    kind
    id
    name
    picture {
      small
      medium
    }
  }
  content
  replyTo
  turnId
  citations {
    documentId
    filename
    chunkIndex
    excerpt
    marks
  }
  truncated
  broken
  deleted
  blocked
  createdAt
}`) as unknown as TypedDocumentString<RoomMessagesQuery, RoomMessagesQueryVariables>;
export const RoomTurnsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query RoomTurns($roomId: ID!) {
  roomTurns(roomId: $roomId, limit: 30) {
    data {
      ...RoomTurnFields
    }
  }
}
    fragment RoomTurnFields on RoomTurn {
  id
  agentId
  rootMessageId
  state
  messageId
  error {
    code
    message
  }
  createdAt
}`) as unknown as TypedDocumentString<RoomTurnsQuery, RoomTurnsQueryVariables>;
export const RoomEventsDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription RoomEvents($id: ID!, $after: String) {
  roomEvents(id: $id, after: $after) {
    type
    offset
    data
  }
}
    `) as unknown as TypedDocumentString<RoomEventsSubscription, RoomEventsSubscriptionVariables>;
export const CreateRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateRoom($input: RoomInput!) {
  createRoom(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateRoomMutation, CreateRoomMutationVariables>;
export const AddRoomAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation AddRoomAgent($roomId: ID!, $agentId: ID!) {
  addRoomAgent(roomId: $roomId, input: {agentId: $agentId}) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<AddRoomAgentMutation, AddRoomAgentMutationVariables>;
export const JoinRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation JoinRoom($id: ID!) {
  joinRoom(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<JoinRoomMutation, JoinRoomMutationVariables>;
export const DeclineRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeclineRoom($id: ID!) {
  declineRoom(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeclineRoomMutation, DeclineRoomMutationVariables>;
export const PostRoomMessageDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation PostRoomMessage($roomId: ID!, $input: RoomMessageInput!) {
  postRoomMessage(roomId: $roomId, input: $input) {
    message {
      ...RoomMessageFields
    }
    turns {
      ...RoomTurnFields
    }
  }
}
    fragment RoomMessageFields on RoomMessage {
  id
  position
  author {
    kind
    id
    name
    picture {
      small
      medium
    }
  }
  content
  replyTo
  turnId
  citations {
    documentId
    filename
    chunkIndex
    excerpt
    marks
  }
  truncated
  broken
  deleted
  blocked
  createdAt
}
fragment RoomTurnFields on RoomTurn {
  id
  agentId
  rootMessageId
  state
  messageId
  error {
    code
    message
  }
  createdAt
}`) as unknown as TypedDocumentString<PostRoomMessageMutation, PostRoomMessageMutationVariables>;
export const DeleteRoomMessageDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteRoomMessage($roomId: ID!, $messageId: ID!) {
  deleteRoomMessage(roomId: $roomId, messageId: $messageId) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteRoomMessageMutation, DeleteRoomMessageMutationVariables>;
export const RequestTurnDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RequestTurn($roomId: ID!, $agentId: ID!) {
  requestTurn(roomId: $roomId, input: {agentId: $agentId}) {
    ...RoomTurnFields
  }
}
    fragment RoomTurnFields on RoomTurn {
  id
  agentId
  rootMessageId
  state
  messageId
  error {
    code
    message
  }
  createdAt
}`) as unknown as TypedDocumentString<RequestTurnMutation, RequestTurnMutationVariables>;
export const StopTurnsDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation StopTurns($roomId: ID!) {
  stopTurns(roomId: $roomId) {
    data {
      ...RoomTurnFields
    }
  }
}
    fragment RoomTurnFields on RoomTurn {
  id
  agentId
  rootMessageId
  state
  messageId
  error {
    code
    message
  }
  createdAt
}`) as unknown as TypedDocumentString<StopTurnsMutation, StopTurnsMutationVariables>;
export const StopTurnDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation StopTurn($roomId: ID!, $turnId: ID!) {
  stopTurn(roomId: $roomId, turnId: $turnId) {
    data {
      ...RoomTurnFields
    }
  }
}
    fragment RoomTurnFields on RoomTurn {
  id
  agentId
  rootMessageId
  state
  messageId
  error {
    code
    message
  }
  createdAt
}`) as unknown as TypedDocumentString<StopTurnMutation, StopTurnMutationVariables>;
export const MarkRoomReadDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation MarkRoomRead($roomId: ID!, $position: Int!) {
  markRoomRead(roomId: $roomId, input: {position: $position}) {
    id
    unreadCount
  }
}
    `) as unknown as TypedDocumentString<MarkRoomReadMutation, MarkRoomReadMutationVariables>;
export const UpdateRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateRoom($id: ID!, $input: RoomPatch!) {
  updateRoom(id: $id, input: $input) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<UpdateRoomMutation, UpdateRoomMutationVariables>;
export const InviteToRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation InviteToRoom($roomId: ID!, $input: InviteInput!) {
  inviteToRoom(roomId: $roomId, input: $input) {
    ...RoomMemberFields
  }
}
    fragment RoomMemberFields on RoomMember {
  userId
  username
  displayName
  picture {
    small
    medium
  }
  role
  state
  mutedUntil
  lastReadPosition
  showsPresence
}`) as unknown as TypedDocumentString<InviteToRoomMutation, InviteToRoomMutationVariables>;
export const UpdateRoomMemberDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateRoomMember($roomId: ID!, $userId: ID!, $input: RoomMemberPatch!) {
  updateRoomMember(roomId: $roomId, userId: $userId, input: $input) {
    ...RoomMemberFields
  }
}
    fragment RoomMemberFields on RoomMember {
  userId
  username
  displayName
  picture {
    small
    medium
  }
  role
  state
  mutedUntil
  lastReadPosition
  showsPresence
}`) as unknown as TypedDocumentString<UpdateRoomMemberMutation, UpdateRoomMemberMutationVariables>;
export const RemoveRoomMemberDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RemoveRoomMember($roomId: ID!, $userId: ID!) {
  removeRoomMember(roomId: $roomId, userId: $userId) {
    id
  }
}
    `) as unknown as TypedDocumentString<RemoveRoomMemberMutation, RemoveRoomMemberMutationVariables>;
export const UpdateRoomAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateRoomAgent($roomId: ID!, $agentId: ID!, $input: RoomAgentPatch!) {
  updateRoomAgent(roomId: $roomId, agentId: $agentId, input: $input) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<UpdateRoomAgentMutation, UpdateRoomAgentMutationVariables>;
export const RemoveRoomAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RemoveRoomAgent($roomId: ID!, $agentId: ID!) {
  removeRoomAgent(roomId: $roomId, agentId: $agentId) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<RemoveRoomAgentMutation, RemoveRoomAgentMutationVariables>;
export const TransferRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation TransferRoom($id: ID!, $userId: ID!) {
  transferRoom(id: $id, input: {userId: $userId}) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<TransferRoomMutation, TransferRoomMutationVariables>;
export const AcceptRoomTransferDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation AcceptRoomTransfer($id: ID!) {
  acceptRoomTransfer(id: $id) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<AcceptRoomTransferMutation, AcceptRoomTransferMutationVariables>;
export const CancelRoomTransferDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CancelRoomTransfer($id: ID!) {
  cancelRoomTransfer(id: $id) {
    ...RoomFields
  }
}
    fragment RoomFields on Room {
  id
  name
  description
  scene
  replyMode
  agentHops
  repliesPerMessage
  payer
  history
  ownerId
  offeredTo
  offerExpiresAt
  people
  agents {
    agentId
    name
    picture {
      small
      medium
    }
    muted
    position
    available
  }
  myRole
  myState
  lastPosition
  unreadCount
  lastMessageAt
}`) as unknown as TypedDocumentString<CancelRoomTransferMutation, CancelRoomTransferMutationVariables>;
export const LeaveRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation LeaveRoom($id: ID!) {
  leaveRoom(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<LeaveRoomMutation, LeaveRoomMutationVariables>;
export const DeleteRoomDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteRoom($id: ID!) {
  deleteRoom(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteRoomMutation, DeleteRoomMutationVariables>;
export const RoomInvitationsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query RoomInvitations($roomId: ID!) {
  roomInvitations(roomId: $roomId) {
    data {
      id
      role
      expiresAt
      maxUses
      uses
      revokedAt
    }
  }
}
    `) as unknown as TypedDocumentString<RoomInvitationsQuery, RoomInvitationsQueryVariables>;
export const CreateRoomInvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateRoomInvitation($roomId: ID!, $input: InvitationInput) {
  createRoomInvitation(roomId: $roomId, input: $input) {
    id
    url
  }
}
    `) as unknown as TypedDocumentString<CreateRoomInvitationMutation, CreateRoomInvitationMutationVariables>;
export const RevokeRoomInvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeRoomInvitation($roomId: ID!, $invitationId: ID!) {
  revokeRoomInvitation(roomId: $roomId, invitationId: $invitationId) {
    id
  }
}
    `) as unknown as TypedDocumentString<RevokeRoomInvitationMutation, RevokeRoomInvitationMutationVariables>;
export const JoinRoomByLinkDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation JoinRoomByLink($token: String!) {
  joinRoomByLink(input: {token: $token}) {
    id
  }
}
    `) as unknown as TypedDocumentString<JoinRoomByLinkMutation, JoinRoomByLinkMutationVariables>;
export const ProfileDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Profile {
  me {
    id
    email
    emailVerified
    username
    displayName
    bio
    createdAt
  }
}
    `) as unknown as TypedDocumentString<ProfileQuery, ProfileQueryVariables>;
export const UpdateMeDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateMe($input: UpdateProfileInput!) {
  updateMe(input: $input) {
    id
    username
    displayName
    bio
  }
}
    `) as unknown as TypedDocumentString<UpdateMeMutation, UpdateMeMutationVariables>;
export const ChangePasswordDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ChangePassword($input: ChangePasswordInput!) {
  changePassword(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const ChangeEmailDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ChangeEmail($input: ChangeEmailInput!) {
  changeEmail(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<ChangeEmailMutation, ChangeEmailMutationVariables>;
export const SessionsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Sessions {
  sessions {
    data {
      id
      current
      userAgent
      ip
      createdAt
      lastUsedAt
    }
  }
}
    `) as unknown as TypedDocumentString<SessionsQuery, SessionsQueryVariables>;
export const RevokeSessionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeSession($id: ID!) {
  revokeSession(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RevokeSessionMutation, RevokeSessionMutationVariables>;
export const AuditLogDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AuditLog($after: String) {
  auditLog(limit: 50, after: $after) {
    data {
      id
      action
      subject
      ip
      apiKeyId
      createdAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const RequestDataExportDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RequestDataExport {
  requestDataExport {
    exportId
  }
}
    `) as unknown as TypedDocumentString<RequestDataExportMutation, RequestDataExportMutationVariables>;
export const DataExportDocument = /*#__PURE__*/ new TypedDocumentString(`
    query DataExport($id: ID!) {
  dataExport(id: $id) {
    exportId
    status
    requestedAt
    completedAt
    expiresAt
    sizeBytes
  }
}
    `) as unknown as TypedDocumentString<DataExportQuery, DataExportQueryVariables>;
export const DeleteMeDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteMe {
  deleteMe {
    gracePeriodEnds
  }
}
    `) as unknown as TypedDocumentString<DeleteMeMutation, DeleteMeMutationVariables>;
export const PublicProfileDocument = /*#__PURE__*/ new TypedDocumentString(`
    query PublicProfile($username: String!) {
  profile(username: $username) {
    ...ProfileParts
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment ProfileParts on Profile {
  id
  username
  displayName
  bio
  bannerUrl
  picture {
    ...PictureParts
  }
  createdAt
  agentCount
  followerCount
  followingCount
  followed
  muted
}`) as unknown as TypedDocumentString<PublicProfileQuery, PublicProfileQueryVariables>;
export const ProfileAgentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ProfileAgents($username: String!, $after: String) {
  profileAgents(username: $username, limit: 24, after: $after) {
    data {
      id
      name
      description
      messageCount
      picture {
        ...PictureParts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<ProfileAgentsQuery, ProfileAgentsQueryVariables>;
export const OwnProfileDocument = /*#__PURE__*/ new TypedDocumentString(`
    query OwnProfile {
  ownProfile {
    id
    username
    displayName
    bannerUrl
    visibility
    showFollowing
    showMature
  }
}
    `) as unknown as TypedDocumentString<OwnProfileQuery, OwnProfileQueryVariables>;
export const FeedDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Feed($before: ID) {
  feed(limit: 20, before: $before) {
    data {
      ...ActivityParts
    }
    hasMore
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}
fragment ActivityParts on Activity {
  id
  type
  createdAt
  actor {
    ...Person
  }
  agent {
    id
    name
    description
    picture {
      ...PictureParts
    }
  }
  share {
    id
    type
    title
    note
    messageCount
  }
}`) as unknown as TypedDocumentString<FeedQuery, FeedQueryVariables>;
export const FeedCountDocument = /*#__PURE__*/ new TypedDocumentString(`
    query FeedCount($since: ID!) {
  feed(limit: 1, since: $since) {
    count
  }
}
    `) as unknown as TypedDocumentString<FeedCountQuery, FeedCountQueryVariables>;
export const SharesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Shares($after: String) {
  shares(limit: 30, after: $after) {
    data {
      id
      type
      title
      agentId
      note
      anonymous
      inFeed
      indexable
      messageCount
      viewCount
      createdAt
      revokedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SharesQuery, SharesQueryVariables>;
export const SharedConversationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query SharedConversation($token: String!) {
  sharedConversation(token: $token) {
    id
    type
    title
    note
    agentId
    agentName
    createdAt
    indexable
    agent {
      description
      picture {
        ...PictureParts
      }
    }
    sharedBy {
      ...Person
    }
    messages {
      role
      content
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<SharedConversationQuery, SharedConversationQueryVariables>;
export const BlocksDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Blocks($after: String) {
  blocks(limit: 30, after: $after) {
    data {
      ...Person
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<BlocksQuery, BlocksQueryVariables>;
export const MutesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Mutes($after: String) {
  mutes(limit: 30, after: $after) {
    data {
      ...Person
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<MutesQuery, MutesQueryVariables>;
export const FollowersDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Followers($after: String) {
  followers(limit: 30, after: $after) {
    data {
      ...Person
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<FollowersQuery, FollowersQueryVariables>;
export const FollowingDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Following($after: String) {
  following(limit: 30, after: $after) {
    data {
      ...Person
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<FollowingQuery, FollowingQueryVariables>;
export const ProfileFollowersDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ProfileFollowers($username: String!, $after: String) {
  profileFollowers(username: $username, limit: 30, after: $after) {
    data {
      ...Person
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<ProfileFollowersQuery, ProfileFollowersQueryVariables>;
export const ProfileFollowingDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ProfileFollowing($username: String!, $after: String) {
  profileFollowing(username: $username, limit: 30, after: $after) {
    data {
      ...Person
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}
fragment Person on PublicProfile {
  id
  username
  displayName
  followed
  picture {
    ...PictureParts
  }
}`) as unknown as TypedDocumentString<ProfileFollowingQuery, ProfileFollowingQueryVariables>;
export const LikesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Likes($after: String) {
  likes(limit: 30, after: $after) {
    data {
      id
      name
      description
      liked
      picture {
        ...PictureParts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PictureParts on Picture {
  small
  medium
  large
  placeholder
  aiGenerated
}`) as unknown as TypedDocumentString<LikesQuery, LikesQueryVariables>;
export const UpdateProfileDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateProfile($input: ProfileInput!) {
  updateProfile(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateProfileMutation, UpdateProfileMutationVariables>;
export const CreateShareDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateShare($input: ShareInput!) {
  createShare(input: $input) {
    id
    url
  }
}
    `) as unknown as TypedDocumentString<CreateShareMutation, CreateShareMutationVariables>;
export const RevokeShareDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeShare($id: ID!) {
  revokeShare(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RevokeShareMutation, RevokeShareMutationVariables>;
export const ContinueShareDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ContinueShare($token: String!) {
  continueShare(token: $token) {
    id
  }
}
    `) as unknown as TypedDocumentString<ContinueShareMutation, ContinueShareMutationVariables>;
export const FollowDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Follow($userId: ID!) {
  follow(userId: $userId) {
    followed
  }
}
    `) as unknown as TypedDocumentString<FollowMutation, FollowMutationVariables>;
export const UnfollowDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Unfollow($userId: ID!) {
  unfollow(userId: $userId) {
    followed
  }
}
    `) as unknown as TypedDocumentString<UnfollowMutation, UnfollowMutationVariables>;
export const BlockDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Block($userId: ID!) {
  block(userId: $userId) {
    blocked
  }
}
    `) as unknown as TypedDocumentString<BlockMutation, BlockMutationVariables>;
export const UnblockDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Unblock($userId: ID!) {
  unblock(userId: $userId) {
    blocked
  }
}
    `) as unknown as TypedDocumentString<UnblockMutation, UnblockMutationVariables>;
export const MuteDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Mute($userId: ID!) {
  mute(userId: $userId) {
    muted
  }
}
    `) as unknown as TypedDocumentString<MuteMutation, MuteMutationVariables>;
export const UnmuteDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Unmute($userId: ID!) {
  unmute(userId: $userId) {
    muted
  }
}
    `) as unknown as TypedDocumentString<UnmuteMutation, UnmuteMutationVariables>;
export const StudioAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    query StudioAgent($id: ID!) {
  agent(id: $id) {
    id
    name
    liveVersion {
      id
      number
      instructions
      model
      greetingMessage
      voiceId
    }
  }
}
    `) as unknown as TypedDocumentString<StudioAgentQuery, StudioAgentQueryVariables>;
export const AgentVersionsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AgentVersions($agentId: ID!, $after: String) {
  agentVersions(agentId: $agentId, limit: 30, after: $after) {
    data {
      id
      number
      model
      note
      origin
      isLive
      createdAt
      publishedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AgentVersionsQuery, AgentVersionsQueryVariables>;
export const AgentVersionChangesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AgentVersionChanges($agentId: ID!, $versionId: ID!, $compareTo: ID!) {
  agentVersion(agentId: $agentId, versionId: $versionId, compareTo: $compareTo) {
    id
    number
    changes {
      field
      before
      after
    }
  }
}
    `) as unknown as TypedDocumentString<AgentVersionChangesQuery, AgentVersionChangesQueryVariables>;
export const PublishAgentVersionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation PublishAgentVersion($agentId: ID!, $versionId: ID!) {
  publishAgentVersion(agentId: $agentId, versionId: $versionId) {
    id
    number
  }
}
    `) as unknown as TypedDocumentString<PublishAgentVersionMutation, PublishAgentVersionMutationVariables>;
export const CreateAgentVersionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateAgentVersion($agentId: ID!, $input: CreateAgentVersionInput!) {
  createAgentVersion(agentId: $agentId, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateAgentVersionMutation, CreateAgentVersionMutationVariables>;
export const TryAgentVersionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation TryAgentVersion($input: CreateConversationInput!) {
  createConversation(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<TryAgentVersionMutation, TryAgentVersionMutationVariables>;
export const ExperimentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Experiments($agentId: ID!, $after: String) {
  experiments(agentId: $agentId, limit: 20, after: $after) {
    data {
      ...ExperimentFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment ExperimentFields on Experiment {
  id
  name
  hypothesis
  status
  metric
  expectedPeople
  minDays
  startedAt
  endedAt
  endedReason
  winnerVersionId
  variants {
    key
    versionId
    weight
  }
}`) as unknown as TypedDocumentString<ExperimentsQuery, ExperimentsQueryVariables>;
export const ExperimentResultsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ExperimentResults($id: ID!) {
  experimentResults(id: $id) {
    verdict
    best
    progress
    warnings
    variants {
      key
      versionId
      people
      successes
      rate
      difference
      interval
      replies
      failed
      thumbsUp
      thumbsDown
      firstWordsMsP50
      firstWordsMsP95
    }
    sampleRatio {
      ok
      expected
      observed
    }
  }
}
    `) as unknown as TypedDocumentString<ExperimentResultsQuery, ExperimentResultsQueryVariables>;
export const CreateExperimentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateExperiment($agentId: ID!, $input: ExperimentInput!) {
  createExperiment(agentId: $agentId, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateExperimentMutation, CreateExperimentMutationVariables>;
export const StartExperimentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation StartExperiment($id: ID!) {
  startExperiment(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<StartExperimentMutation, StartExperimentMutationVariables>;
export const PauseExperimentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation PauseExperiment($id: ID!) {
  pauseExperiment(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<PauseExperimentMutation, PauseExperimentMutationVariables>;
export const ResumeExperimentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResumeExperiment($id: ID!) {
  resumeExperiment(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<ResumeExperimentMutation, ResumeExperimentMutationVariables>;
export const StopExperimentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation StopExperiment($id: ID!) {
  stopExperiment(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<StopExperimentMutation, StopExperimentMutationVariables>;
export const DeleteExperimentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteExperiment($id: ID!) {
  deleteExperiment(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteExperimentMutation, DeleteExperimentMutationVariables>;
export const ConcludeExperimentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ConcludeExperiment($id: ID!, $input: ConcludeInput!) {
  concludeExperiment(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<ConcludeExperimentMutation, ConcludeExperimentMutationVariables>;
export const AnalyticsLimitsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AnalyticsLimits {
  limits {
    plan
    data {
      name
      limit
    }
  }
}
    `) as unknown as TypedDocumentString<AnalyticsLimitsQuery, AnalyticsLimitsQueryVariables>;
export const AgentAnalyticsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AgentAnalytics($agentId: ID!, $from: String!, $granularity: Granularity) {
  agentAnalytics(agentId: $agentId, from: $from, granularity: $granularity) {
    completeUntil
    totals {
      ...AnalyticsTotals
    }
    series {
      ...AnalyticsBucket
    }
  }
}
    fragment AnalyticsTotals on AnalyticsTotals {
  people
  newPeople
  conversations
  messages
  replies
  failed
  thumbsUp
  thumbsDown
  firstWordsMsP50
  retentionD1
  retentionD7
  listingViews
  likes
  suppressed
}
fragment AnalyticsBucket on AnalyticsBucket {
  date
  people
  messages
  replies
  failed
  firstWordsMsP50
  firstWordsMsP95
  listingViews
  likes
}`) as unknown as TypedDocumentString<AgentAnalyticsQuery, AgentAnalyticsQueryVariables>;
export const AnalyticsBreakdownDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AnalyticsBreakdown($agentId: ID!, $from: String!, $by: Breakdown!) {
  agentAnalytics(agentId: $agentId, from: $from, by: $by) {
    breakdown {
      versionNumber
      source
      isOther
      messages
      replies
      failed
      thumbsUp
      thumbsDown
      firstWordsMsP50
      firstWordsMsP95
    }
  }
}
    `) as unknown as TypedDocumentString<AnalyticsBreakdownQuery, AnalyticsBreakdownQueryVariables>;
export const StudioAnalyticsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query StudioAnalytics($from: String!, $granularity: Granularity) {
  studioAnalytics(from: $from, granularity: $granularity) {
    completeUntil
    totals {
      ...AnalyticsTotals
    }
    series {
      ...AnalyticsBucket
    }
    agents {
      agentId
      name
      conversations
      messages
    }
  }
}
    fragment AnalyticsTotals on AnalyticsTotals {
  people
  newPeople
  conversations
  messages
  replies
  failed
  thumbsUp
  thumbsDown
  firstWordsMsP50
  retentionD1
  retentionD7
  listingViews
  likes
  suppressed
}
fragment AnalyticsBucket on AnalyticsBucket {
  date
  people
  messages
  replies
  failed
  firstWordsMsP50
  firstWordsMsP95
  listingViews
  likes
}`) as unknown as TypedDocumentString<StudioAnalyticsQuery, StudioAnalyticsQueryVariables>;
export const SharedFeedbackDocument = /*#__PURE__*/ new TypedDocumentString(`
    query SharedFeedback($agentId: ID!, $after: String) {
  sharedFeedback(agentId: $agentId, limit: 10, after: $after) {
    data {
      messageId
      rating
      comment
      question
      reply
      versionNumber
      sharedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SharedFeedbackQuery, SharedFeedbackQueryVariables>;
export const WebhooksDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Webhooks {
  webhooks {
    data {
      ...WebhookFields
      hours {
        start
        delivered
        failed
      }
    }
  }
}
    fragment WebhookFields on Webhook {
  id
  url
  description
  events
  active
  createdAt
  disabledReason
  disabledAt
}`) as unknown as TypedDocumentString<WebhooksQuery, WebhooksQueryVariables>;
export const WebhookDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Webhook($id: ID!) {
  webhook(id: $id) {
    ...WebhookFields
  }
}
    fragment WebhookFields on Webhook {
  id
  url
  description
  events
  active
  createdAt
  disabledReason
  disabledAt
}`) as unknown as TypedDocumentString<WebhookQuery, WebhookQueryVariables>;
export const WebhookStatsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query WebhookStats($id: ID!, $bucket: StatsBucket) {
  webhookStats(id: $id) {
    since
    pending
    delivered
    failed
    skipped
    attempts
    failedAttempts
    successRate
    medianDurationMs
    p95DurationMs
    lastDeliveredAt
    lastFailedAt
    consecutiveFailures
    series(bucket: $bucket) {
      start
      delivered
      failedAttempts
    }
  }
}
    `) as unknown as TypedDocumentString<WebhookStatsQuery, WebhookStatsQueryVariables>;
export const WebhookDeliveriesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query WebhookDeliveries($webhookId: ID!, $status: DeliveryStatus, $eventType: WebhookEventType, $after: String) {
  webhookDeliveries(
    webhookId: $webhookId
    status: $status
    eventType: $eventType
    limit: 50
    after: $after
  ) {
    data {
      ...DeliveryFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment DeliveryFields on WebhookDelivery {
  id
  eventId
  eventType
  status
  nextAttemptAt
  createdAt
  attempts {
    startedAt
    status
    durationMs
    error
    excerpt
  }
}`) as unknown as TypedDocumentString<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>;
export const WebhookDeliveryDocument = /*#__PURE__*/ new TypedDocumentString(`
    query WebhookDelivery($webhookId: ID!, $id: ID!) {
  webhookDelivery(webhookId: $webhookId, id: $id) {
    ...DeliveryFields
    event {
      id
      type
      createdAt
      data
    }
    request {
      headers {
        name
        value
      }
      body
    }
  }
}
    fragment DeliveryFields on WebhookDelivery {
  id
  eventId
  eventType
  status
  nextAttemptAt
  createdAt
  attempts {
    startedAt
    status
    durationMs
    error
    excerpt
  }
}`) as unknown as TypedDocumentString<WebhookDeliveryQuery, WebhookDeliveryQueryVariables>;
export const WebhookDeliveryUpdatesDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription WebhookDeliveryUpdates($webhookId: ID!) {
  webhookDeliveryUpdates(webhookId: $webhookId) {
    ...DeliveryFields
  }
}
    fragment DeliveryFields on WebhookDelivery {
  id
  eventId
  eventType
  status
  nextAttemptAt
  createdAt
  attempts {
    startedAt
    status
    durationMs
    error
    excerpt
  }
}`) as unknown as TypedDocumentString<WebhookDeliveryUpdatesSubscription, WebhookDeliveryUpdatesSubscriptionVariables>;
export const CreateWebhookDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateWebhook($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    id
    secret
  }
}
    `) as unknown as TypedDocumentString<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const UpdateWebhookDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {
  updateWebhook(id: $id, input: $input) {
    ...WebhookFields
  }
}
    fragment WebhookFields on Webhook {
  id
  url
  description
  events
  active
  createdAt
  disabledReason
  disabledAt
}`) as unknown as TypedDocumentString<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const DeleteWebhookDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeleteWebhook($id: ID!) {
  deleteWebhook(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const RotateWebhookSecretDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RotateWebhookSecret($id: ID!) {
  rotateWebhookSecret(id: $id) {
    id
    secret
  }
}
    `) as unknown as TypedDocumentString<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const TestWebhookDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation TestWebhook($webhookId: ID!, $input: TestWebhookInput) {
  testWebhook(webhookId: $webhookId, input: $input) {
    ...DeliveryFields
  }
}
    fragment DeliveryFields on WebhookDelivery {
  id
  eventId
  eventType
  status
  nextAttemptAt
  createdAt
  attempts {
    startedAt
    status
    durationMs
    error
    excerpt
  }
}`) as unknown as TypedDocumentString<TestWebhookMutation, TestWebhookMutationVariables>;
export const RedeliverWebhookDeliveryDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RedeliverWebhookDelivery($webhookId: ID!, $deliveryId: ID!) {
  redeliverWebhookDelivery(webhookId: $webhookId, deliveryId: $deliveryId) {
    ...DeliveryFields
  }
}
    fragment DeliveryFields on WebhookDelivery {
  id
  eventId
  eventType
  status
  nextAttemptAt
  createdAt
  attempts {
    startedAt
    status
    durationMs
    error
    excerpt
  }
}`) as unknown as TypedDocumentString<RedeliverWebhookDeliveryMutation, RedeliverWebhookDeliveryMutationVariables>;
export const RecoverWebhookDeliveriesDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RecoverWebhookDeliveries($webhookId: ID!, $input: RecoverDeliveriesInput!) {
  recoverWebhookDeliveries(webhookId: $webhookId, input: $input) {
    recovered
    nextSince
  }
}
    `) as unknown as TypedDocumentString<RecoverWebhookDeliveriesMutation, RecoverWebhookDeliveriesMutationVariables>;
import type { Migration } from '@mikro-orm/migrations';
import type { Constructor } from '@mikro-orm/postgresql';
import { Migration0001Service } from './migration-0001-service.ts';
import { Migration0002Tasks } from './migration-0002-tasks.ts';
import { Migration0003Webhooks } from './migration-0003-webhooks.ts';
import { Migration0005AccountLives } from './migration-0005-account-lives.ts';
import { Migration0006Search } from './migration-0006-search.ts';
import { Migration0007Knowledge } from './migration-0007-knowledge.ts';
import { Migration0009Billing } from './migration-0009-billing.ts';
import { Migration0010Integrations } from './migration-0010-integrations.ts';
import { Migration0011KnowledgeSample } from './migration-0011-knowledge-sample.ts';
import { Migration0012KnowledgeProgress } from './migration-0012-knowledge-progress.ts';
import { Migration0013KnowledgeWords } from './migration-0013-knowledge-words.ts';
import { Migration0014OutboxQueue } from './migration-0014-outbox-queue.ts';
import { Migration0015OlderSecrets } from './migration-0015-older-secrets.ts';
import { Migration0016UnspacedWords } from './migration-0016-unspaced-words.ts';
import { Migration0017OwnerIndex } from './migration-0017-owner-index.ts';
import { Migration0018Retention } from './migration-0018-retention.ts';
import { Migration0019ExportPages } from './migration-0019-export-pages.ts';
import { Migration0020BusinessClock } from './migration-0020-business-clock.ts';
import { Migration0022EventPartitions } from './migration-0022-event-partitions.ts';
import { Migration0023WebhookHours } from './migration-0023-webhook-hours.ts';
import { Migration0024OldestDue } from './migration-0024-oldest-due.ts';
import { Migration0025GenerationEnds } from './migration-0025-generation-ends.ts';
import { Migration0026DeferredDeletion } from './migration-0026-deferred-deletion.ts';
import { Migration0027AgentGreetings } from './migration-0027-agent-greetings.ts';
import { Migration0029PaymentSimulator } from './migration-0029-payment-simulator.ts';
import { Migration0030FailedDocuments } from './migration-0030-failed-documents.ts';
import { Migration0031TaskKinds } from './migration-0031-task-kinds.ts';
import { Migration0040Refunds } from './migration-0040-refunds.ts';
import { Migration0045Preferences } from './migration-0045-preferences.ts';
import { Migration0046ChangeEmail } from './migration-0046-change-email.ts';
import { Migration0047DocumentUpdates } from './migration-0047-document-updates.ts';
import { Migration0048PinnedConversations } from './migration-0048-pinned-conversations.ts';
import { Migration0050AgentVersions } from './migration-0050-agent-versions.ts';
import { Migration0055WebhookDescriptions } from './migration-0055-webhook-descriptions.ts';
import { Migration0051Experiments } from './migration-0051-experiments.ts';
import { Migration0052Analytics } from './migration-0052-analytics.ts';
import { Migration0053SharedFeedback } from './migration-0053-shared-feedback.ts';
import { Migration0060Images } from './migration-0060-images.ts';
import { Migration0090Embeds } from './migration-0090-embeds.ts';
import { Migration0100WithdrawnShares } from './migration-0100-withdrawn-shares.ts';
import { Migration0160StudioSums } from './migration-0160-studio-sums.ts';
import { Migration0150AccountSockets } from './migration-0150-account-sockets.ts';
import { Migration0130Moderation } from './migration-0130-moderation.ts';
import { Migration0131Marketplace } from './migration-0131-marketplace.ts';
import { Migration0140Blocks } from './migration-0140-blocks.ts';
import { Migration0141Social } from './migration-0141-social.ts';
import { Migration0161DeletedExperiments } from './migration-0161-deleted-experiments.ts';
import { Migration0170AppealedCases } from './migration-0170-appealed-cases.ts';
import { Migration0179Refuse } from './migration-0179-refuse.ts';
import { Migration0188AgentInterest } from './migration-0188-agent-interest.ts';
import { Migration0190NoteAccounts } from './migration-0190-note-accounts.ts';
import { Migration0195ReplacedDocuments } from './migration-0195-replaced-documents.ts';
import { Migration0197ImageRefunds } from './migration-0197-image-refunds.ts';
import { Migration0198CopiedShares } from './migration-0198-copied-shares.ts';
import { Migration0203EmbedCaps } from './migration-0203-embed-caps.ts';
import { Migration0201VersionGreetings } from './migration-0201-version-greetings.ts';
import { Migration0206JoinedTurns } from './migration-0206-joined-turns.ts';
import { Migration0207RoomInviters } from './migration-0207-room-inviters.ts';
import { Migration0205ExperimentLatency } from './migration-0205-experiment-latency.ts';
import { Migration0208DeletedReviews } from './migration-0208-deleted-reviews.ts';
import { Migration0250DocumentReading } from './migration-0250-document-reading.ts';
import { Migration0209ListingRecounts } from './migration-0209-listing-recounts.ts';
import { Migration0215EventOrder } from './migration-0215-event-order.ts';
import { Migration0210BrokenReplies } from './migration-0210-broken-replies.ts';
import { Migration0220NormalForm } from './migration-0220-normal-form.ts';
import { Migration0237IdentityFaults } from './migration-0237-identity-faults.ts';
import { Migration0236EmbedRefunds } from './migration-0236-embed-refunds.ts';
import { Migration0235RoomOffers } from './migration-0235-room-offers.ts';
import { Migration0221OldUsernames } from './migration-0221-old-usernames.ts';
import { Migration0222SearchForms } from './migration-0222-search-forms.ts';
import { Migration0240RoomChoices } from './migration-0240-room-choices.ts';
import { Migration0241StoredBytes } from './migration-0241-stored-bytes.ts';
import { Migration0242DocumentBytes } from './migration-0242-document-bytes.ts';
import { Migration0247SearchVectors } from './migration-0247-search-vectors.ts';
import { Migration0248ReindexedChunks } from './migration-0248-reindexed-chunks.ts';
import { Migration0249CheaperWords } from './migration-0249-cheaper-words.ts';
import { Migration0171VectorBytes } from './migration-0171-vector-bytes.ts';
import { Migration0175RoomFigures } from './migration-0175-room-figures.ts';
import { Migration0120Rooms } from './migration-0120-rooms.ts';
import { Migration0230BillingPrices } from './migration-0230-billing-prices.ts';
import { Migration0225RefusedChannels } from './migration-0225-refused-channels.ts';
import { Migration0223AgentSearch } from './migration-0223-agent-search.ts';

export interface ListedMigration {
  name: string;
  class: Constructor<Migration>;
  /**
   * Set on a migration that removes something or makes it stricter: the release since which no instance uses it. All
   * other migrations only add, so that old and new instances run side by side.
   */
  contracts?: string;
}

/** In the order in which they run. A released migration never changes. */
export const migrations: readonly ListedMigration[] = [
  // The name by which databases have recorded it.
  { name: 'migration-0001-house', class: Migration0001Service },
  { name: 'migration-0002-tasks', class: Migration0002Tasks },
  { name: 'migration-0003-webhooks', class: Migration0003Webhooks },
  { name: 'migration-0005-account-lives', class: Migration0005AccountLives },
  { name: 'migration-0006-search', class: Migration0006Search },
  { name: 'migration-0007-knowledge', class: Migration0007Knowledge },
  { name: 'migration-0009-billing', class: Migration0009Billing },
  { name: 'migration-0010-integrations', class: Migration0010Integrations },
  { name: 'migration-0011-knowledge-sample', class: Migration0011KnowledgeSample },
  { name: 'migration-0012-knowledge-progress', class: Migration0012KnowledgeProgress },
  { name: 'migration-0013-knowledge-words', class: Migration0013KnowledgeWords },
  { name: 'migration-0014-outbox-queue', class: Migration0014OutboxQueue },
  { name: 'migration-0015-older-secrets', class: Migration0015OlderSecrets },
  { name: 'migration-0016-unspaced-words', class: Migration0016UnspacedWords },
  { name: 'migration-0017-owner-index', class: Migration0017OwnerIndex },
  { name: 'migration-0018-retention', class: Migration0018Retention },
  { name: 'migration-0019-export-pages', class: Migration0019ExportPages },
  { name: 'migration-0020-business-clock', class: Migration0020BusinessClock },
  {
    name: 'migration-0022-event-partitions',
    class: Migration0022EventPartitions,
    contracts: '0.2: an instance of 0.1 sends no deliveries',
  },
  {
    name: 'migration-0023-webhook-hours',
    class: Migration0023WebhookHours,
    contracts: '0.2: an instance of 0.1 creates no webhooks',
  },
  { name: 'migration-0024-oldest-due', class: Migration0024OldestDue },
  { name: 'migration-0025-generation-ends', class: Migration0025GenerationEnds },
  { name: 'migration-0026-deferred-deletion', class: Migration0026DeferredDeletion },
  { name: 'migration-0027-agent-greetings', class: Migration0027AgentGreetings },
  { name: 'migration-0029-payment-simulator', class: Migration0029PaymentSimulator },
  { name: 'migration-0030-failed-documents', class: Migration0030FailedDocuments },
  {
    name: 'migration-0031-task-kinds',
    class: Migration0031TaskKinds,
    contracts: '0.2: an instance of 0.1 enqueues its own recurring tasks again',
  },
  { name: 'migration-0040-refunds', class: Migration0040Refunds },
  { name: 'migration-0045-preferences', class: Migration0045Preferences },
  {
    name: 'migration-0046-change-email',
    class: Migration0046ChangeEmail,
    contracts: '0.1: the new check accepts every kind of token that the old one did',
  },
  { name: 'migration-0047-document-updates', class: Migration0047DocumentUpdates },
  { name: 'migration-0048-pinned-conversations', class: Migration0048PinnedConversations },
  { name: 'migration-0050-agent-versions', class: Migration0050AgentVersions },
  { name: 'migration-0055-webhook-descriptions', class: Migration0055WebhookDescriptions },
  { name: 'migration-0051-experiments', class: Migration0051Experiments },
  { name: 'migration-0052-analytics', class: Migration0052Analytics },
  { name: 'migration-0060-images', class: Migration0060Images },
  { name: 'migration-0053-shared-feedback', class: Migration0053SharedFeedback },
  { name: 'migration-0090-embeds', class: Migration0090Embeds },
  { name: 'migration-0100-withdrawn-shares', class: Migration0100WithdrawnShares },
  { name: 'migration-0160-studio-sums', class: Migration0160StudioSums },
  { name: 'migration-0150-account-sockets', class: Migration0150AccountSockets },
  { name: 'migration-0130-moderation', class: Migration0130Moderation },
  { name: 'migration-0131-marketplace', class: Migration0131Marketplace },
  { name: 'migration-0140-blocks', class: Migration0140Blocks },
  { name: 'migration-0141-social', class: Migration0141Social },
  { name: 'migration-0161-deleted-experiments', class: Migration0161DeletedExperiments },
  { name: 'migration-0120-rooms', class: Migration0120Rooms },
  { name: 'migration-0170-appealed-cases', class: Migration0170AppealedCases },
  { name: 'migration-0179-refuse', class: Migration0179Refuse },
  { name: 'migration-0175-room-figures', class: Migration0175RoomFigures },
  { name: 'migration-0171-vector-bytes', class: Migration0171VectorBytes },
  { name: 'migration-0188-agent-interest', class: Migration0188AgentInterest },
  { name: 'migration-0190-note-accounts', class: Migration0190NoteAccounts },
  { name: 'migration-0195-replaced-documents', class: Migration0195ReplacedDocuments },
  { name: 'migration-0197-image-refunds', class: Migration0197ImageRefunds },
  { name: 'migration-0198-copied-shares', class: Migration0198CopiedShares },
  { name: 'migration-0203-embed-caps', class: Migration0203EmbedCaps },
  { name: 'migration-0201-version-greetings', class: Migration0201VersionGreetings },
  { name: 'migration-0206-joined-turns', class: Migration0206JoinedTurns },
  { name: 'migration-0207-room-inviters', class: Migration0207RoomInviters },
  { name: 'migration-0205-experiment-latency', class: Migration0205ExperimentLatency },
  { name: 'migration-0208-deleted-reviews', class: Migration0208DeletedReviews },
  { name: 'migration-0209-listing-recounts', class: Migration0209ListingRecounts },
  { name: 'migration-0250-document-reading', class: Migration0250DocumentReading },
  { name: 'migration-0210-broken-replies', class: Migration0210BrokenReplies },
  { name: 'migration-0220-normal-form', class: Migration0220NormalForm },
  { name: 'migration-0235-room-offers', class: Migration0235RoomOffers },
  { name: 'migration-0221-old-usernames', class: Migration0221OldUsernames },
  { name: 'migration-0236-embed-refunds', class: Migration0236EmbedRefunds },
  { name: 'migration-0222-search-forms', class: Migration0222SearchForms },
  { name: 'migration-0237-identity-faults', class: Migration0237IdentityFaults },
  { name: 'migration-0240-room-choices', class: Migration0240RoomChoices },
  { name: 'migration-0241-stored-bytes', class: Migration0241StoredBytes },
  {
    name: 'migration-0230-billing-prices',
    class: Migration0230BillingPrices,
    contracts: '0.2: an instance of 0.1 changes no subscription',
  },
  { name: 'migration-0242-document-bytes', class: Migration0242DocumentBytes },
  { name: 'migration-0215-event-order', class: Migration0215EventOrder },
  { name: 'migration-0247-search-vectors', class: Migration0247SearchVectors },
  {
    name: 'migration-0225-refused-channels',
    class: Migration0225RefusedChannels,
    contracts: '0.1: the new check accepts every kind of notice that the old one did',
  },
  { name: 'migration-0223-agent-search', class: Migration0223AgentSearch },
  { name: 'migration-0248-reindexed-chunks', class: Migration0248ReindexedChunks },
  { name: 'migration-0249-cheaper-words', class: Migration0249CheaperWords },
];

import { registerEnumType } from 'type-graphql';
import { agentCategories, agentSorts, exploreSorts } from '../src/agents/agent.input.ts';
import { exportFormats } from '../src/conversations/export-conversation.ts';
import { billingIntervals, invoiceStatuses, paidPlans, subscriptionStatuses } from '../src/billing/billing.input.ts';
import { auditActions } from '../src/accounts/audit.ts';
import { exportStatuses } from '../src/accounts/data-exports.ts';
import { scopes } from '../src/core/actor.ts';
import { modelIds } from '../src/core/models.ts';
import { deliveryStatuses } from '../src/webhooks/delivery.ts';
import { webhookEventTypes } from '../src/webhooks/event-catalog.ts';
import { platformKinds } from '../src/integrations/platforms.ports.ts';
import { voiceIds } from '../src/core/voices.ts';

/** An enum object whose values are those of the wire and whose names are GraphQL's: `agents:read` is AGENTS_READ. */
const enumOf = <Value extends string>(values: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(values.map((value) => [value.toUpperCase().replace(/[^A-Z0-9]/g, '_'), value]));

export const ScopeEnum = enumOf(scopes);
export const PlanEnum = enumOf(['free', 'plus', 'pro', 'creator']);
export const PaidPlanEnum = enumOf(paidPlans);
export const BillingIntervalEnum = enumOf(billingIntervals);
export const SubscriptionStatusEnum = enumOf(subscriptionStatuses);
export const InvoiceStatusEnum = enumOf(invoiceStatuses);
export const ModelIdEnum = enumOf(modelIds);
export const AgentCategoryEnum = enumOf(agentCategories);
export const VoiceIdEnum = enumOf(voiceIds);
export const AgentSortEnum = enumOf(agentSorts);
export const ExploreSortEnum = enumOf(exploreSorts);
export const MessageRoleEnum = enumOf(['user', 'assistant']);
export const WebhookEventTypeEnum = enumOf(webhookEventTypes);
export const DeliveryStatusEnum = enumOf(deliveryStatuses);
export const PlatformEnum = enumOf(platformKinds);
export const IntegrationStatusEnum = enumOf(['active', 'inactive', 'error']);

export const FeedbackRatingEnum = enumOf(['up', 'down']);
export const ExportFormatEnum = enumOf(exportFormats);

registerEnumType(FeedbackRatingEnum, { name: 'FeedbackRating', description: 'Whether a reply was good.' });
registerEnumType(ExportFormatEnum, { name: 'ExportFormat', description: 'The form of an exported conversation.' });
export const DocumentStatusEnum = enumOf(['processing', 'ready', 'failed']);
export const AuditActionEnum = enumOf(auditActions);
export const ExportStatusEnum = enumOf(exportStatuses);

registerEnumType(AuditActionEnum, { name: 'AuditAction', description: 'What the audit log tells.' });
registerEnumType(ExportStatusEnum, { name: 'ExportStatus', description: 'How far a data export is.' });
registerEnumType(ScopeEnum, {
  name: 'Scope',
  description: 'What an API key may do. A write scope includes the read scope.',
});
registerEnumType(PlanEnum, { name: 'Plan', description: 'The subscription of an account.' });
registerEnumType(PaidPlanEnum, { name: 'PaidPlan', description: 'A plan that costs something.' });
registerEnumType(BillingIntervalEnum, { name: 'BillingInterval', description: 'How often a plan is paid for.' });
registerEnumType(SubscriptionStatusEnum, {
  name: 'SubscriptionStatus',
  description: 'PAST_DUE keeps the plan for seven days; UNPAID and INCOMPLETE have the limits of the free one.',
});
registerEnumType(InvoiceStatusEnum, { name: 'InvoiceStatus', description: 'What became of an invoice.' });
registerEnumType(ModelIdEnum, { name: 'ModelId', description: 'A language model of the service.' });
registerEnumType(AgentCategoryEnum, { name: 'AgentCategory', description: 'What an agent is for.' });
registerEnumType(VoiceIdEnum, { name: 'VoiceId', description: 'A voice that an agent can speak with.' });
registerEnumType(AgentSortEnum, { name: 'AgentSort', description: 'Times newest first, names from A to Z.' });
registerEnumType(ExploreSortEnum, {
  name: 'ExploreSort',
  description: 'POPULAR by messages ever, TRENDING by those of the last days, RECENT by creation.',
});
registerEnumType(MessageRoleEnum, { name: 'MessageRole', description: 'Who wrote a message.' });
registerEnumType(WebhookEventTypeEnum, { name: 'WebhookEventType', description: 'What happened.' });
registerEnumType(DeliveryStatusEnum, {
  name: 'DeliveryStatus',
  description: 'SKIPPED: it came due while the webhook was disabled.',
});
registerEnumType(DocumentStatusEnum, { name: 'DocumentStatus', description: 'READY: the agent answers from it.' });
registerEnumType(PlatformEnum, { name: 'Platform', description: 'A kind of chat platform.' });
registerEnumType(IntegrationStatusEnum, {
  name: 'IntegrationStatus',
  description: 'ERROR: the platform refused the bot; activate it again when that is mended.',
});

import { coolTrendingAgents } from './cool-trending.ts';
import { foldAgentActivity } from './fold-agent-activity.ts';
import { foldConversationSummary } from './fold-summary.ts';
import { answerPlatformMessages } from './answer-platform-messages.ts';
import type { Job } from './job.ts';
import { abandonUpload } from './abandon-upload.ts';
import { checkDocuments } from './check-documents.ts';
import { processUploadedDocument } from './process-document.ts';
import { purgeWebhookDeliveries } from './purge-deliveries.ts';
import { purgeAccounts } from './purge-account.ts';
import { purgeExpired } from './purge-expired.ts';
import { reconcileConnections } from './reconcile-connections.ts';
import { recoverGenerations } from './recover-generations.ts';
import { reEncryptValues } from './re-encrypt.ts';
import { reEmbedReadyDocument } from './re-embed-document.ts';
import { removeDeletedDocument } from './remove-document.ts';
import { sendMails } from './send-mail.ts';
import { compareBilling } from './compare-billing.ts';
import { syncBilling } from './sync-billing.ts';
import { sendResetMails } from './send-reset-mail.ts';
import { writeExports } from './write-export.ts';
import { writeConversationGreeting } from './write-greeting.ts';
import { writeConversationTitle } from './write-title.ts';

/** Every kind of job that the service has. */
export const jobs: readonly Job[] = [
  writeConversationGreeting,
  writeConversationTitle,
  foldConversationSummary,
  recoverGenerations,
  foldAgentActivity,
  coolTrendingAgents,
  syncBilling,
  compareBilling,
  purgeExpired,
  reEncryptValues,
  purgeWebhookDeliveries,
  sendMails,
  processUploadedDocument,
  removeDeletedDocument,
  abandonUpload,
  reEmbedReadyDocument,
  checkDocuments,
  answerPlatformMessages as Job,
  reconcileConnections,
  sendResetMails,
  writeExports,
  purgeAccounts,
];

import { accountExport } from '../accounts/account.export.ts';
import { purgeExportFiles } from '../accounts/purge-exports.ts';
import { agentExport } from '../agents/agent.export.ts';
import { purgeAgentActivity } from '../agents/agent.purge.ts';
import { apiKeyExport } from '../api-keys/api-key.export.ts';
import { purgeRateLimits } from '../api-keys/rate-limit.purge.ts';
import { invoiceExport } from '../billing/billing.export.ts';
import { purgeBillingCustomer } from '../billing/billing.purge.ts';
import { conversationExport } from '../conversations/conversation.export.ts';
import type { Ports } from '../core/ctx.ts';
import { integrationExport } from '../integrations/integration.export.ts';
import { removeAgentIntegrations } from '../integrations/integrations.ts';
import { documentExport, documentFiles } from '../knowledge/document.export.ts';
import { purgeDocuments } from '../knowledge/document.purge.ts';
import { webhookExport } from '../webhooks/webhook.export.ts';

/** What each feature adds to the end of an account, in the order in which it runs, of an agent, and to the export of data. */
export const accountParts: Pick<Ports, 'purgeSteps' | 'agentEnds' | 'dataExport'> = {
  agentEnds: [removeAgentIntegrations],
  purgeSteps: [purgeRateLimits, purgeExportFiles, purgeAgentActivity, purgeDocuments, purgeBillingCustomer],
  dataExport: {
    sections: [
      ...accountExport,
      apiKeyExport,
      invoiceExport,
      agentExport,
      documentExport,
      ...conversationExport,
      integrationExport,
      webhookExport,
    ],
    files: [documentFiles],
  },
};

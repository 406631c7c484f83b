import { createHash } from 'node:crypto';

/** What the service has acknowledged to anybody: the auditor looks for it in the database at the end. */
export interface Ledger {
  /** User messages by their text, which occurs once in the world. */
  sent: Map<string, { conversationId: string }>;
  /** Replies by id, with what was read of them. */
  replies: Map<string, { conversationId: string; hash: string }>;
  /** Whatever was deleted with everything in it. */
  gone: Set<string>;
  /** People of whom something was deleted that was counted: what is left is less than the count. */
  forgetful: Set<string>;
  documents: Map<string, { agentId: string; sizeBytes: number }>;
  /** Customers of the processor by user. */
  subscribers: Set<string>;
  /** Webhooks that hear everything of their owner from before the load on, by their path at the receiver. */
  listeners: Map<string, { webhookId: string; userId: string }>;
  /** Accounts by e-mail address that are scheduled for deletion. */
  leavers: Set<string>;
}

export const createLedger = (): Ledger => ({
  sent: new Map(),
  replies: new Map(),
  gone: new Set(),
  forgetful: new Set(),
  documents: new Map(),
  subscribers: new Set(),
  listeners: new Map(),
  leavers: new Set(),
});

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

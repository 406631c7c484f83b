import { createHash } from 'node:crypto';

/** Everything that the service has acknowledged. The auditor compares it with the database at the end. */
export interface Ledger {
  /** User messages by their text, which is unique. */
  sent: Map<string, { conversationId: string }>;
  /** Replies by id, as they were read. */
  replies: Map<string, { conversationId: string; hash: string }>;
  /** Objects that were deleted with their content. */
  gone: Set<string>;
  /** Users of whom charged messages were deleted: fewer remain than were charged. */
  forgetful: Set<string>;
  documents: Map<string, { agentId: string; sizeBytes: number }>;
  /** Customers of the processor by user. */
  subscribers: Set<string>;
  /** Webhooks for all events of their owner since before the load, by path at the receiver. */
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

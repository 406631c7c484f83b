import { randomUUIDv7 } from 'node:crypto';

/** Wire prefixes of ids. An agent's id is a bare UUID. */
export const idPrefixes = {
  user: 'usr_',
  session: 'ses_',
  apiKey: 'key_',
  agent: '',
  conversation: 'conv_',
  message: 'msg_',
  generation: 'gen_',
  event: 'evt_',
  export: 'exp_',
  mail: 'mail_',
  auditEvent: 'aud_',
  invoice: 'inv_',
  document: 'doc_',
  chunk: 'chk_',
  integration: 'int_',
  webhook: 'wh_',
  delivery: 'dlv_',
} as const;

export type IdKind = keyof typeof idPrefixes;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new id: the kind's prefix and a UUIDv7 in canonical lower case. Ordered by time only to the millisecond. */
export const newId = (kind: IdKind): string => idPrefixes[kind] + randomUUIDv7();

/** Whether `text` has the form of an id of this kind; what does not parse is answered like what does not exist. */
export const isId = (kind: IdKind, text: string): boolean =>
  text.startsWith(idPrefixes[kind]) && uuidPattern.test(text.slice(idPrefixes[kind].length));

/** Values that the examples of all events share, so that the examples are consistent. */
const uuid = (n: number): string => `019bc0de-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const exampleValues = {
  userId: `usr_${uuid(1)}`,
  agentId: uuid(2),
  conversationId: `conv_${uuid(3)}`,
  messageId: `msg_${uuid(4)}`,
  subscriptionId: `sub_${uuid(5)}`,
  integrationId: `int_${uuid(6)}`,
  versionId: `ver_${uuid(7)}`,
  experimentId: `xpt_${uuid(8)}`,
  embedId: `emb_${uuid(9)}`,
  visitorId: `vis_${uuid(10)}`,
  decisionId: `dec_${uuid(11)}`,
  reviewId: `rev_${uuid(12)}`,
  roomId: `room_${uuid(13)}`,
  at: new Date('2026-01-15T09:30:00.000Z'),
  later: new Date('2026-01-15T09:31:12.345Z'),
} as const;

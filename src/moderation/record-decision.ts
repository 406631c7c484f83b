import { sendMail } from '../accounts/mail/mails.ts';
import type { Ctx } from '../core/ctx.ts';
import { newId } from '../core/ids.ts';
import { publish } from '../core/outbox.ts';
import type { Decision } from './decision.entity.ts';
import { decisionEventData } from './moderation.events.ts';
import type { Subject } from './subjects.ts';

const insert = {
  name: 'moderation_decision_insert',
  text: `
    insert into moderation_decisions (id, subject_type, subject_id, author_id, moderator_id, action, reason, statement, automated,
      created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
};
const findAuthor = {
  name: 'moderation_author',
  text: `select username from users where id = $1`,
};

type NewDecision = Pick<Decision, 'action' | 'reason' | 'statement' | 'automated'>;

/** Stores a decision with its reasons, publishes `moderation.decided` to the author and mails them. */
export async function recordDecision(
  tx: Ctx,
  { type, id: subjectId, authorId }: Subject,
  given: NewDecision,
): Promise<Decision> {
  const now = tx.clock.now();
  const moderatorId = !given.automated && tx.actor.kind === 'user' ? tx.actor.userId : null;
  const decision: Decision = {
    id: newId('dec_'),
    subjectType: type,
    subjectId,
    authorId,
    moderatorId,
    ...given,
    appealText: null,
    appealedAt: null,
    appealOutcome: null,
    appealDecidedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const { id, action, reason, statement, automated } = decision;
  await tx.sql(insert, [id, type, subjectId, authorId, moderatorId, action, reason, statement, automated, now]);
  const [author] = authorId === null ? [] : await tx.sql<{ username: string }>(findAuthor, [authorId]);
  if (authorId === null || !author) return decision;
  await publish(tx, authorId, 'moderation.decided', decisionEventData(decision));
  const data = { username: author.username, decisionId: id, subjectType: type, subjectId, action, reason, statement };
  await sendMail(tx, { userId: authorId, template: 'moderationDecided', data: { ...data, automated } });
  return decision;
}

import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { listAuditEvents } from '../src/accounts/audit.ts';
import type { AuditAction } from '../src/accounts/audit-actions.ts';
import { listSessions, revokeSession } from '../src/accounts/credentials/sessions.ts';
import type { GraphqlContext } from './context.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import { Access } from './decorators.ts';
import { enumType } from './enum-type.ts';

const AuditActionEnum = enumType<AuditAction>('AuditAction', 'Kind of an action in the audit log.', {
  'account.registered': 'The account was created.',
  'account.deletion_scheduled': 'The account was scheduled for deletion.',
  'account.restored': 'The account was restored.',
  'login.succeeded': 'A login succeeded.',
  'login.failed': 'A login failed because of a wrong password.',
  logout: 'A session was ended by logging out.',
  'session.revoked': 'A session was revoked.',
  'session.token_reused': 'A refresh token was used twice, so its session was revoked.',
  'email.verified': 'The e-mail address was verified.',
  'email.change_requested': 'A change of the e-mail address was requested.',
  'email.changed': 'The e-mail address was changed.',
  'password.changed': 'The password was changed.',
  'password.reset_requested': 'A password reset was requested.',
  'password.reset': 'The password was reset.',
  'api_key.created': 'An API key was created.',
  'api_key.rotated': 'An API key was replaced by a new one.',
  'api_key.revoked': 'An API key was revoked.',
  'export.requested': 'A data export was requested.',
  'export.downloaded': 'A data export was downloaded.',
  'image.taken_down': 'The operator removed an image.',
  'moderation.case_viewed': 'A moderator viewed a case.',
  'moderation.picture_viewed': 'A moderator viewed the picture of a case.',
  'moderation.decided': 'A moderator decided on a case.',
});

@ObjectType('Session', { description: 'A login that is still valid.' })
class SessionType {
  @Field(() => ID, { description: 'Session ID (`ses_…`).' }) id!: string;
  @Field(() => Date, { description: 'Login time.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last use.' }) lastUsedAt!: Date;
  @Field(() => String, { nullable: true, description: 'IP address of the login.' }) ip!: string | null;
  @Field(() => String, { nullable: true, description: '`User-Agent` header of the login.' }) userAgent!: string | null;
  @Field(() => Boolean, { description: 'Whether this request uses the session.' }) current!: boolean;
}

@ObjectType({ description: 'The caller’s valid sessions.' })
class SessionList {
  @Field(() => [SessionType], { description: 'Sessions, last used first.' }) data!: SessionType[];
  @Field(() => Int, { description: 'Number of sessions.' }) total!: number;
}

@ObjectType({ description: 'Confirmation that a session was revoked.' })
class RevokedSession {
  @Field(() => ID, { description: 'Session ID (`ses_…`).' }) id!: string;
  @Field(() => Date, { description: 'Time of the revocation.' }) revokedAt!: Date;
}

@ObjectType('AuditEvent', { description: 'A security-relevant action on the account.' })
class AuditEventType {
  @Field(() => ID, { description: 'Audit event ID (`aud_…`).' }) id!: string;
  @Field(() => AuditActionEnum, { description: 'Kind of the action.' }) action!: AuditAction;
  @Field(() => String, {
    nullable: true,
    description: 'ID of the object that the action changed; null when it changed the account.',
  })
  subject!: string | null;
  @Field(() => String, { nullable: true, description: 'Session that was used; null when it was an API key.' })
  sessionId!: string | null;
  @Field(() => String, { nullable: true, description: 'API key that was used; null when it was a session.' })
  apiKeyId!: string | null;
  @Field(() => String, { nullable: true, description: 'IP address of the caller.' }) ip!: string | null;
  @Field(() => Date, { description: 'Time of the action.' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of the audit log, newest first.' })
class AuditLog extends pageOf('audit events', AuditEventType, 'Number of events in the whole log.') {}

@Resolver()
export class SessionResolver {
  @Access('account:read')
  @Query(() => SessionList, { description: 'Lists the caller’s sessions, last used first.' })
  async sessions(@Ctx() ctx: GraphqlContext): Promise<SessionList> {
    const currentId = ctx.actor.kind === 'user' ? ctx.actor.sessionId : null;
    const data = (await listSessions(ctx)).map((session) => ({
      id: session.id,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      ip: session.ip ?? null,
      userAgent: session.userAgent ?? null,
      current: session.id === currentId,
    }));
    return { data, total: data.length };
  }

  @Access('account:write')
  @Mutation(() => RevokedSession, { description: 'Revokes a session with immediate effect.' })
  revokeSession(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Session ID.' }) id: string,
  ): Promise<RevokedSession> {
    return revokeSession(ctx, id);
  }

  @Access('account:read')
  @Query(() => AuditLog, {
    description: 'Lists logins, credential changes, exports and account deletion, newest first.',
  })
  auditLog(@Ctx() ctx: GraphqlContext, @PagingArgs() paging: Paging, @IsCounted() counted: boolean): Promise<AuditLog> {
    return listAuditEvents(ctx, { ...paging, counted });
  }
}

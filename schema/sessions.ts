import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { type AuditAction, listAuditEvents } from '../src/accounts/audit.ts';
import { listSessions, revokeSession } from '../src/accounts/sessions.ts';
import type { GraphqlContext } from './context.ts';
import { AfterArg, IsCounted, PageInfo } from './page-info.ts';
import { Access, GraphqlOnly } from './decorators.ts';
import { AuditActionEnum } from './enums.ts';

@ObjectType('Session', { description: 'A sign-in that has not ended.' })
class SessionType {
  @Field(() => ID) id!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) lastUsedAt!: Date;
  @Field(() => String, { nullable: true }) ip!: string | null;
  @Field(() => String, { nullable: true }) userAgent!: string | null;
  @Field(() => Boolean, { description: 'Whether this is the session that asks.' }) current!: boolean;
}

@ObjectType({ description: 'The caller’s sessions.' })
class SessionList {
  @Field(() => [SessionType]) data!: SessionType[];
  @Field(() => Int) total!: number;
}

@ObjectType({ description: 'A session that has ended.' })
class RevokedSession {
  @Field(() => ID) id!: string;
  @Field(() => Date) revokedAt!: Date;
}

@ObjectType('AuditEvent', { description: 'Who did what to the account, when and from where.' })
class AuditEventType {
  @Field(() => ID) id!: string;
  @Field(() => AuditActionEnum) action!: AuditAction;
  @Field(() => String, { nullable: true, description: 'The id of what it was done to.' }) subject!: string | null;
  @Field(() => String, { nullable: true, description: 'The session it was done with.' }) sessionId!: string | null;
  @Field(() => String, { nullable: true, description: 'The API key it was done with.' }) apiKeyId!: string | null;
  @Field(() => String, { nullable: true }) ip!: string | null;
  @Field(() => Date) createdAt!: Date;
}

@ObjectType({ description: 'One page of the audit log, newest first.' })
class AuditLog {
  @Field(() => [AuditEventType]) data!: AuditEventType[];
  @Field(() => Int) total!: number | null;
  @Field(() => Int) limit!: number;
  @Field(() => Int) offset!: number;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Where to go on.' })
  pageInfo!: PageInfo;
}

@Resolver()
export class SessionResolver {
  @Access('account:read')
  @Query(() => SessionList, { description: 'The caller’s open sessions, the last used first.' })
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
  @Mutation(() => RevokedSession, { description: 'Ends a session at once.' })
  revokeSession(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<RevokedSession> {
    return revokeSession(ctx, id);
  }

  @Access('account:read')
  @Query(() => AuditLog, { description: 'Sign-ins, changes of keys and passwords, exports, deletion.' })
  auditLog(
    @Ctx() ctx: GraphqlContext,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @AfterArg() after?: string,
    @IsCounted() counted?: boolean,
  ): Promise<AuditLog> {
    return listAuditEvents(ctx, { limit, offset, after, counted });
  }
}

import { Arg, Ctx, Field, Float, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { deleteAccount, restoreAccount } from '../src/accounts/deletion/account-deletion.ts';
import type { DataExport } from '../src/accounts/data-export/data-export.entity.ts';
import { getDataExport, requestDataExport } from '../src/accounts/data-export/data-exports.ts';
import { Acknowledgement, Login, LoginInput, toUser } from './accounts.ts';
import type { GraphqlContext } from './context.ts';
import { Access, OncePerRequest } from './decorators.ts';
import { enumType } from './enum-type.ts';

const ExportStatusEnum = enumType<DataExport['status']>('ExportStatus', 'Progress of a data export.', {
  processing: 'The archive is being created.',
  ready: 'The download link was sent by e-mail.',
  failed: 'The archive could not be created. Request a new export.',
  expired: 'The download link expired after seven days.',
});

@ObjectType({ description: 'An account that is scheduled for deletion.' })
class ScheduledDeletion extends Acknowledgement {
  @Field(() => Date, { description: 'Time of the request.' }) deletedAt!: Date;
  @Field(() => Date, { description: 'Deadline for restoring the account.' }) gracePeriodEnds!: Date;
}

@ObjectType({ description: 'A data export that was requested.' })
class RequestedExport extends Acknowledgement {
  @Field(() => ID, { description: 'Export ID (`exp_…`).' }) exportId!: string;
  @Field(() => ExportStatusEnum, { description: 'Progress of the export.' }) status!: DataExport['status'];
  @Field(() => Date, { description: 'Time of the request.' }) requestedAt!: Date;
}

@ObjectType('DataExport', {
  description: 'A ZIP archive of all the account’s data. The download link is sent by e-mail.',
})
class DataExportType {
  @Field(() => ID, { description: 'Export ID (`exp_…`).' }) exportId!: string;
  @Field(() => ExportStatusEnum, { description: 'Progress of the export.' }) status!: DataExport['status'];
  @Field(() => Date, { description: 'Time of the request.' }) requestedAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Completion time of the archive; null while it is being created.' })
  completedAt!: Date | null;
  @Field(() => Date, {
    nullable: true,
    description: 'Expiry time of the download link; null until the archive is ready.',
  })
  expiresAt!: Date | null;
  @Field(() => Float, { nullable: true, description: 'Size of the archive in bytes; null until it is ready.' })
  sizeBytes!: number | null;
}

@Resolver()
export class AccountLifeResolver {
  @Access('account:write')
  @Mutation(() => ScheduledDeletion, {
    description: 'Revokes every credential immediately and deletes the account after 30 days.',
  })
  async deleteMe(@Ctx() ctx: GraphqlContext): Promise<ScheduledDeletion> {
    const times = await deleteAccount(ctx);
    return {
      message: 'Your account is scheduled for deletion. Until the grace period ends it can be restored.',
      ...times,
    };
  }

  @Access('public')
  @OncePerRequest()
  @Mutation(() => Login, { description: 'Restores an account within its grace period and starts a session.' })
  async restoreAccount(@Ctx() ctx: GraphqlContext, @Arg('input', () => LoginInput) input: LoginInput): Promise<Login> {
    const { user, ...tokens } = await restoreAccount(ctx, input, ctx);
    return { ...tokens, user: toUser(user) };
  }

  @Access('account:write')
  @Mutation(() => RequestedExport, {
    description: 'Requests an export of all the account’s data. The download link is sent by e-mail.',
  })
  async requestDataExport(@Ctx() ctx: GraphqlContext): Promise<RequestedExport> {
    const { id, status, requestedAt } = await requestDataExport(ctx);
    const message = 'Your data is being collected. A download link will come by e-mail within 24 hours.';
    return { message, exportId: id, status, requestedAt };
  }

  @Access('account:read')
  @Query(() => DataExportType, { description: 'Returns the progress of a data export.' })
  async dataExport(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Export ID.' }) id: string,
  ): Promise<DataExportType> {
    const { id: exportId, ...rest } = await getDataExport(ctx, id);
    return { exportId, ...rest };
  }
}

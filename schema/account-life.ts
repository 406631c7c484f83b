import { Arg, Ctx, Field, Float, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { deleteAccount, restoreAccount } from '../src/accounts/account-deletion.ts';
import { type DataExport, getDataExport, requestDataExport } from '../src/accounts/data-exports.ts';
import { Acknowledgement, Login, LoginInput, toUser } from './accounts.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { ExportStatusEnum } from './enums.ts';

@ObjectType({ description: 'An account that will be deleted for good.' })
class ScheduledDeletion extends Acknowledgement {
  @Field(() => Date) deletedAt!: Date;
  @Field(() => Date, { description: 'Until then it can be restored.' }) gracePeriodEnds!: Date;
}

@ObjectType({ description: 'A request for all data of the account.' })
class RequestedExport extends Acknowledgement {
  @Field(() => ID) exportId!: string;
  @Field(() => ExportStatusEnum) status!: DataExport['status'];
  @Field(() => Date) requestedAt!: Date;
}

@ObjectType('DataExport', { description: 'All data of the account as a ZIP; its link comes by mail.' })
class DataExportType {
  @Field(() => ID) exportId!: string;
  @Field(() => ExportStatusEnum) status!: DataExport['status'];
  @Field(() => Date) requestedAt!: Date;
  @Field(() => Date, { nullable: true }) completedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When the mailed link stops working.' }) expiresAt!: Date | null;
  @Field(() => Float, { nullable: true }) sizeBytes!: number | null;
}

@Resolver()
export class AccountLifeResolver {
  @Access('account:write')
  @Mutation(() => ScheduledDeletion, { description: 'Ends every credential now and the account in 30 days.' })
  async deleteMe(@Ctx() ctx: GraphqlContext): Promise<ScheduledDeletion> {
    const times = await deleteAccount(ctx);
    return {
      message: 'Your account is scheduled for deletion. Until the grace period ends it can be restored.',
      ...times,
    };
  }

  @Access('public')
  @Mutation(() => Login, { description: 'Takes an account back in its grace period and starts a session.' })
  async restoreAccount(@Ctx() ctx: GraphqlContext, @Arg('input', () => LoginInput) input: LoginInput): Promise<Login> {
    const { user, ...tokens } = await restoreAccount(ctx, input, ctx);
    return { ...tokens, user: toUser(user) };
  }

  @Access('account:write')
  @Mutation(() => RequestedExport, { description: 'Has all data of the account collected; a link comes by mail.' })
  async requestDataExport(@Ctx() ctx: GraphqlContext): Promise<RequestedExport> {
    const { id, status, requestedAt } = await requestDataExport(ctx);
    const message = 'Your data is being collected. A download link will come by e-mail within 24 hours.';
    return { message, exportId: id, status, requestedAt };
  }

  @Access('account:read')
  @Query(() => DataExportType, { description: 'How far an export is.' })
  async dataExport(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<DataExportType> {
    const { id: exportId, ...rest } = await getDataExport(ctx, id);
    return { exportId, ...rest };
  }
}

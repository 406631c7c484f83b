import { defineEntity, p } from '@mikro-orm/postgresql';
import { Integration } from '../integration.entity.ts';

export type NoticeKind = 'quota' | 'flood' | 'unreadable' | 'start' | 'help';

const IntegrationNoticeSchema = defineEntity({
  name: 'IntegrationNotice',
  tableName: 'integration_notices',
  properties: {
    integrationId: p.manyToOne(Integration).mapToPk().name('integration_id').deleteRule('cascade').primary(),
    chatId: p.text().primary(),
    kind: p.text().$type<NoticeKind>().primary(),
    noticedAt: p.datetime(3),
  },
});

/** A notice that was posted to a channel and is not repeated for a while. */
export class IntegrationNotice extends IntegrationNoticeSchema.class {}
IntegrationNoticeSchema.setClass(IntegrationNotice);

import { defineEntity, p } from '@mikro-orm/postgresql';

const InstanceSchema = defineEntity({
  name: 'Instance',
  tableName: 'instances',
  properties: {
    id: p.text().primary(),
    startedAt: p.datetime(3),
    heartbeatAt: p.datetime(3),
  },
});

/** A running process of the service and its heartbeat. */
export class Instance extends InstanceSchema.class {}
InstanceSchema.setClass(Instance);

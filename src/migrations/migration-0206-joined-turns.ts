import { Migration } from '@mikro-orm/migrations';

/**
 * The newest turn of a room when a membership began. Turns are kept for 30 days, so older memberships have no hidden
 * ones.
 */
export class Migration0206JoinedTurns extends Migration {
  override up(): void {
    this.addSql(`alter table room_members add column joined_turn integer not null default 0`);
    this.addSql(`
      update room_members m set joined_turn = coalesce((
        select max(t.number) from room_turns t where t.room_id = m.room_id and t.created_at < m.joined_at), 0)
      where m.joined_position > 0 and m.joined_at > now() - interval '31 days'`);
  }
}

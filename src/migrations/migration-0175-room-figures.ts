import { Migration } from '@mikro-orm/migrations';

/** Replies in rooms count in the figures of their agents, with the time that they took once they ran. */
export class Migration0175RoomFigures extends Migration {
  override up(): void {
    this.addSql(`alter table studio_notes add column turn_id text collate "C"`);
    this.addSql(`alter table room_turns add column started_at timestamptz(3)`);
  }
}

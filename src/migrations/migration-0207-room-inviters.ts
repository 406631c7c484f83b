import { Migration } from '@mikro-orm/migrations';

/** Who invited a person to a room by name, because a block between the two withdraws the invitation. */
export class Migration0207RoomInviters extends Migration {
  override up(): void {
    this.addSql(`
      alter table room_members add column invited_by text collate "C" references users on delete set null;
      create index room_members_invited_by_idx on room_members (invited_by)`);
  }
}

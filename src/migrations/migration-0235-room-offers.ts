import { Migration } from '@mikro-orm/migrations';

/** Offers of the ownership of rooms. Revokes open links of people who may no longer make them. */
export class Migration0235RoomOffers extends Migration {
  override up(): void {
    this.addSql(`
      alter table rooms add column offered_to text collate "C" references users on delete set null,
        add column offer_expires_at timestamptz(3);
      create index rooms_offered_to_idx on rooms (offered_to);
      update room_invitations i set revoked_at = now() where i.revoked_at is null and not exists (
        select from room_members m where m.room_id = i.room_id and m.user_id = i.created_by and m.state = 'joined'
          and (m.role = 'owner' or (m.role = 'moderator' and i.role = 'member')))`);
  }
}

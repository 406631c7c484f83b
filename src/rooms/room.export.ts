import type { ExportSection } from '../core/feature.ts';

/** Sections of a data export: the user's rooms and their own messages, without messages of others. */
export const roomExport: readonly ExportSection[] = [
  {
    path: 'rooms.json',
    statement: {
      name: 'export_rooms',
      text: `
        select r.id, r.name, m.role, m.state, m.joined_at, m.last_read_position, m.created_at
        from room_members m join rooms r on r.id = m.room_id
        where m.user_id = $1 and r.deleted_at is null and (m.created_at, r.id) > ($2, $3)
        order by m.created_at, r.id limit $4`,
    },
  },
  {
    path: 'room_messages.json',
    statement: {
      name: 'export_room_messages',
      text: `
        select m.id, m.room_id, r.name as room_name, m.position, m.content, m.created_at
        from room_messages m join rooms r on r.id = m.room_id
        where m.user_id = $1 and m.deleted_at is null and r.deleted_at is null and (m.created_at, m.id) > ($2, $3)
        order by m.created_at, m.id limit $4`,
    },
  },
];

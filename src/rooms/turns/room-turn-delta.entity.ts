import { defineEntity, p } from '@mikro-orm/postgresql';
import { RoomTurn } from './room-turn.entity.ts';

const RoomTurnDeltaSchema = defineEntity({
  name: 'RoomTurnDelta',
  tableName: 'room_turn_deltas',
  properties: {
    turnId: p.manyToOne(RoomTurn).mapToPk().name('turn_id').deleteRule('cascade').primary(),
    /** Offset of the piece in the reply, in UTF-16 units. */
    position: p.integer().primary(),
    content: p.text(),
  },
});

/** A piece of the text of a running turn. */
export class RoomTurnDelta extends RoomTurnDeltaSchema.class {}
RoomTurnDeltaSchema.setClass(RoomTurnDelta);

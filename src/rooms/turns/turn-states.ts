/**
 * The states of a turn, which is one reply of an agent in a room.
 *
 * ```
 *            ┌─ the day of its payer is used up, or its agent is gone ─► refused    charge returned
 *  ─► queued ┼─ over the bounds of its message or of the queue ────────► dropped
 *            ├─ stopped ──────────────────────────────────────────────► stopped    charge returned
 *            └─► running ┬─ the model finished ───────────────────────► complete   reply stored
 *                        ├─ stopped ──────────────────────────────────► stopped    reply stored, if any
 *                        └─ the model or its instance failed ─────────► failed     charge returned
 * ```
 *
 * A room has at most one running turn (a unique index). Locks are taken in one order: room, turn, counter of the payer's day.
 */
export type TurnState = 'queued' | 'running' | 'complete' | 'stopped' | 'failed' | 'refused' | 'dropped';

/** A stored event; `dataText` is its `data` in the bytes that were written with its cause. */
export interface StoredEvent {
  id: string;
  type: string;
  createdAt: Date;
  dataText: string;
}

/** Returns the body of a delivery: the same bytes for an event at every attempt and on every instance. */
export const envelopeOf = ({ id, type, createdAt, dataText }: StoredEvent): Buffer =>
  Buffer.from(`{"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","data":${dataText}}`);

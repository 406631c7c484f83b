/** A stored event. `dataText` is its `data` exactly as stored. */
export interface StoredEvent {
  id: string;
  type: string;
  createdAt: Date;
  dataText: string;
}

/** Returns the body of a delivery. It is byte-identical for every attempt and on every instance. */
export const envelopeOf = ({ id, type, createdAt, dataText }: StoredEvent): Buffer =>
  Buffer.from(`{"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","data":${dataText}}`);

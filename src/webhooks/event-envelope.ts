/** An event as it is stored; `dataText` is its `data` in the very bytes that were written with the cause. */
export interface StoredEvent {
  id: string;
  type: string;
  createdAt: Date;
  dataText: string;
}

/** The body of a delivery. The same event gives the same bytes at every attempt and from every instance. */
export const envelopeOf = ({ id, type, createdAt, dataText }: StoredEvent): Buffer =>
  Buffer.from(`{"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","data":${dataText}}`);

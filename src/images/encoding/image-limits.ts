/** Size of an uploaded file: 5 MB. */
export const maxImageBytes = 5 * 1_048_576;
/** Pixels of an image, which are read from its header before it is decoded. */
export const maxPixels = 25_000_000;
/** Of the shorter edge, in pixels. */
export const minEdge = 128;
/** Images that one process decodes at a time. */
export const maxDecodes = 2;
/** Images that wait for that; more are refused. */
export const maxWaitingDecodes = 20;
/** Time to decode and encode an image. */
export const encodeTimeoutMs = 15 * 1_000;
/** Memory of the process that decodes. */
export const encoderMemoryBytes = 512 * 1_048_576;

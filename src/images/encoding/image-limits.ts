/** Largest size of an uploaded file in bytes: 5 MB. */
export const maxImageBytes = 5 * 1_048_576;
/** Largest number of pixels, which is read from the header before decoding. */
export const maxPixels = 25_000_000;
/** Smallest allowed length of the shorter edge, in pixels. */
export const minEdge = 128;
/** Largest number of images that one process decodes concurrently. */
export const maxDecodes = 2;
/** Largest number of images that wait to be decoded; further ones are rejected. */
export const maxWaitingDecodes = 20;
/** Time limit for decoding and encoding an image, in milliseconds. */
export const encodeTimeoutMs = 15 * 1_000;
/** Memory limit of the decoding process, in bytes. */
export const encoderMemoryBytes = 512 * 1_048_576;

import { sha256 } from '../../core/crypto.ts';

/** One of the competing versions. The variant with the key `a` is the control. */
export interface Variant {
  key: string;
  versionId: string;
  /** Share of people in percent. The weights of an experiment sum to 100. */
  weight: number;
}

const slots = 10_000n;
const slotsPerPercent = 100;

/**
 * Returns the variant of a subject. The result is deterministic and needs no stored state, so all instances agree: the
 * first eight bytes of SHA-256 over the experiment's id and the subject select one of 10,000 slots.
 */
export function assignVariant(experimentId: string, subject: string, variants: readonly Variant[]): Variant {
  const slot = Number(sha256(experimentId + subject).readBigUInt64BE() % slots);
  let end = 0;
  for (const variant of variants) {
    end += variant.weight * slotsPerPercent;
    if (slot < end) return variant;
  }
  throw new Error('the weights of the variants do not sum to 100');
}

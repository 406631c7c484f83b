import { FormField } from '../parts/controls/form-field.tsx';
import type { EmbedValues } from './embed-values.ts';
import { texts } from './texts.ts';
import styles from './embeds.module.css';

interface ChallengeKeysProps {
  values: EmbedValues;
  /** Whether the embed has its own keys already. */
  areStored: boolean;
  onChange: (part: Partial<EmbedValues>) => void;
}

/** The owner's keys of the challenge. The stored secret is never shown. */
export const ChallengeKeys = ({ values, areStored, onChange }: ChallengeKeysProps) => (
  <div className={styles.pair}>
    <FormField
      name="challengeSiteKey"
      label={texts.siteKey}
      hint={texts.siteKeyHint}
      dir="ltr"
      autoComplete="off"
      value={values.challengeSiteKey}
      onValueChange={(challengeSiteKey) => onChange({ challengeSiteKey })}
    />
    <FormField
      name="challengeSecret"
      label={texts.secretKey}
      hint={areStored ? texts.secretKeyStored : texts.secretKeyHint}
      type="password"
      dir="ltr"
      autoComplete="off"
      value={values.challengeSecret}
      onValueChange={(challengeSecret) => onChange({ challengeSecret })}
    />
  </div>
);

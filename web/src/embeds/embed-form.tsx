import { useState } from 'react';
import { type EmbedFieldsFragment, UpdateEmbedDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { languageNames } from '../widget/translated-texts.ts';
import { ChallengeKeys } from './challenge-keys.tsx';
import { EmbedPreview } from './embed-preview.tsx';
import { type EmbedValues, inputOf, valuesOf } from './embed-values.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';
import styles from './embeds.module.css';

interface EmbedFormProps {
  embed: EmbedFieldsFragment;
  agentName: string;
  onSaved: () => void;
}

const identities = [
  ['ANONYMOUS', texts.anonymous],
  ['OPTIONAL', texts.optionalIdentity],
  ['REQUIRED', texts.requiredIdentity],
] as const;
const challenges = [
  ['NONE', texts.nothing],
  ['TURNSTILE', texts.turnstile],
] as const;
const positions = [
  ['RIGHT', texts.lowerRight],
  ['LEFT', texts.lowerLeft],
] as const;
const themes = [
  ['AUTO', texts.themeAuto],
  ['LIGHT', texts.light],
  ['DARK', texts.dark],
] as const;
const languages = [['', texts.languageAuto], ...languageNames] as const;

/** The settings of an embed beside a preview. */
export function EmbedForm({ embed, agentName, onSaved }: EmbedFormProps) {
  const [values, setValues] = useState(() => valuesOf(embed));
  const set = (part: Partial<EmbedValues>): void => setValues({ ...values, ...part });
  const { save, isPending, isSuccess, error, errors } = useSave(
    () => request(UpdateEmbedDocument, { id: embed.id, input: inputOf(values) }),
    () => {
      setValues((saved) => ({ ...saved, challengeSecret: '' }));
      onSaved();
    },
  );
  const text = (name: keyof EmbedValues, label: string, hint?: string) => (
    <FormField
      name={name}
      label={label}
      hint={hint}
      value={String(values[name])}
      onValueChange={(value) => set({ [name]: value })}
    />
  );
  const lines = (name: 'origins' | 'starters' | 'notice', label: string, hint: string) => (
    <FormField
      name={name === 'origins' ? 'allowedOrigins' : name}
      label={label}
      hint={hint}
      dir={name === 'origins' ? 'ltr' : 'auto'}
      render={(<textarea rows={3} />) as never}
      value={values[name]}
      onValueChange={(value) => set({ [name]: value })}
    />
  );
  const choice = (
    name: 'identity' | 'challenge' | 'position' | 'dark' | 'language',
    label: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <SelectField
      name={name}
      label={label}
      value={values[name]}
      options={options}
      onChange={(value) => set({ [name]: value } as Partial<EmbedValues>)}
    />
  );
  return (
    <div className={styles.editor}>
      <Form
        className={styles.form}
        errors={errors}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <fieldset className={styles.group}>
          <legend>{texts.look}</legend>
          {text('title', texts.title, texts.titleHint)}
          <div className={styles.pair}>
            <FormField
              name="color"
              label={texts.colour}
              type="color"
              value={values.color}
              onValueChange={(color) => set({ color })}
            />
            {choice('position', texts.corner, positions)}
          </div>
          <div className={styles.pair}>
            {choice('dark', texts.theme, themes)}
            {choice('language', texts.language, languages)}
          </div>
          {lines('starters', texts.starters, texts.startersHint)}
          {lines('notice', texts.notice, texts.noticeHint)}
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={values.avatar}
              onChange={(event) => set({ avatar: event.target.checked })}
            />
            {texts.showPicture}
          </label>
        </fieldset>
        <fieldset className={styles.group}>
          <legend>{texts.where}</legend>
          {text('name', common.name)}
          {lines('origins', texts.websites, texts.websitesHint)}
          <label className={styles.check}>
            <input type="checkbox" checked={values.test} onChange={(event) => set({ test: event.target.checked })} />
            {texts.allowLocalhost}
          </label>
          <div className={styles.pair}>
            {choice('identity', texts.identity, identities)}
            {choice('challenge', texts.challenge, challenges)}
          </div>
          {values.challenge === 'TURNSTILE' && (
            <ChallengeKeys values={values} areStored={embed.challengeSiteKey !== null} onChange={set} />
          )}
        </fieldset>
        <fieldset className={styles.group}>
          <legend>{texts.limits}</legend>
          <div className={styles.pair}>
            {text('perDay', texts.perDay, texts.perDayHint)}
            {text('perVisitorDay', texts.perVisitorDay)}
          </div>
          <div className={styles.pair}>
            {text('perAddressHour', texts.perAddressHour)}
            {text('retentionDays', texts.retention)}
          </div>
        </fieldset>
        {error && <ErrorNote error={error} />}
        <div className={styles.save}>
          <Button type="submit" variant="primary" isBusy={isPending}>
            {common.save}
          </Button>
          <span role="status">{isSuccess && !isPending ? common.saved : ''}</span>
        </div>
      </Form>
      <EmbedPreview values={values} agentName={agentName} />
    </div>
  );
}

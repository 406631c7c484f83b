import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  AgentListingDocument,
  type ContentRating,
  ListingDocument,
  UpdateListingDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { drafts } from '../chat/drafts/drafts.ts';
import { useChanges } from '../chat/drafts/use-changes.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { LeaveGuard } from '../parts/controls/leave-guard.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { AboutField } from './about-field.tsx';
import { addressOf } from './listing-state.tsx';
import { languages } from './languages.ts';
import { changedInput, type OwnListing, valuesOf } from './listing-values.ts';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

const ratings: readonly (readonly [ContentRating, string])[] = [
  ['EVERYONE', texts.everyone],
  ['MATURE', texts.adults],
];

/** Fields that the marketplace shows in addition to those of the agent. Unsaved changes are kept on this device. */
export function ListingForm({ listing }: { listing: OwnListing }) {
  const cache = useQueryClient();
  const draft = `listing:${listing.agentId}`;
  const { values, changes, isDirty, stored, change, discard } = useChanges(draft, valuesOf(listing));
  const { save, isPending, error, errors } = useSave(async () => {
    const sent = stored;
    await request(UpdateListingDocument, { agentId: listing.agentId, input: changedInput(values, changes) });
    for (const document of [AgentListingDocument, ListingDocument])
      await cache.invalidateQueries({ queryKey: keyOf(document) });
    if (drafts.get(draft) === sent) discard();
    notify(common.saved);
  });
  const offered = useMemo(() => [['', texts.noLanguage] as const, ...languages()], []);
  const text = (name: 'slug' | 'tags' | 'starters') => ({
    name,
    value: values[name],
    onValueChange: (value: string) => change({ [name]: value }),
  });
  return (
    <Form
      className={styles.editor}
      errors={errors}
      noValidate
      aria-label={texts.listing}
      onSubmit={(event) => {
        event.preventDefault();
        save(event.currentTarget);
      }}
    >
      <LeaveGuard isDirty={isDirty && !isPending} />
      <FormField
        label={texts.slug}
        dir="ltr"
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        hint={values.slug === '' ? texts.slugMade : <bdi>{addressOf(values.slug)}</bdi>}
        {...text('slug')}
      />
      <AboutField value={values.about} onChange={(about) => change({ about })} />
      <FormField
        label={texts.startWith}
        hint={texts.startersHint}
        render={<textarea rows={4} />}
        {...text('starters')}
      />
      <FormField label={texts.tags} hint={texts.tagsHint} dir="ltr" autoComplete="off" {...text('tags')} />
      <div className={styles.pair}>
        <SelectField
          name="language"
          label={texts.language}
          value={values.language}
          options={offered}
          onChange={(language) => change({ language })}
        />
        <SelectField
          name="contentRating"
          label={texts.forWhom}
          value={values.contentRating}
          options={ratings}
          hint={values.contentRating === 'MATURE' ? texts.adultsHint : undefined}
          onChange={(contentRating) => change({ contentRating: contentRating as ContentRating })}
        />
      </div>
      <div className={styles.group}>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={values.allowCopies}
            onChange={({ target }) => change({ allowCopies: target.checked })}
          />
          {texts.allowCopies}
        </label>
        <p className={values.allowCopies ? styles.warning : styles.hint}>
          {values.allowCopies ? texts.copiesShowInstructions : texts.copiesClosed}
        </p>
      </div>
      {error && <ErrorNote error={error} />}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {common.save}
        </Button>
        {isDirty && (
          <Button variant="quiet" onClick={discard}>
            {texts.discard}
          </Button>
        )}
        <span className={styles.hint} role="status">
          {isDirty ? texts.unsavedChanges : ''}
        </span>
      </div>
    </Form>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '../parts/common-texts.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { MeDocument, ProfileDocument, type ProfileQuery, UpdateMeDocument } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ProfilePicture } from '../images/profile-picture.tsx';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { LeaveGuard } from '../parts/controls/leave-guard.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { EmailForm } from './email-form.tsx';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { texts } from './texts.ts';
import styles from './settings.module.css';

/** The person's public profile and e-mail address. */
export function ProfilePage() {
  const { data, error, refetch } = useQuery(query(ProfileDocument, {}));
  return (
    <Page title={texts.profile} tabs={<SettingsTabs />}>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['100%', '100%', '100%']} height={56} />}
      {data && <ProfilePicture />}
      {data && <ProfileForm key={data.me.id} me={data.me} />}
      {data && <EmailForm email={data.me.email} isVerified={data.me.emailVerified} />}
      <ApiNote tag="auth-and-account" path="/v1/auth/me" />
    </Page>
  );
}

const valuesOf = ({ displayName, username, bio }: ProfileQuery['me']) => ({
  displayName: displayName ?? '',
  username,
  bio: bio ?? '',
});
type Values = ReturnType<typeof valuesOf>;

function ProfileForm({ me }: { me: ProfileQuery['me'] }) {
  const cache = useQueryClient();
  const saved = valuesOf(me);
  const [typed, setTyped] = useState<Partial<Values>>({});
  // The service trims texts.
  const isDirty = Object.entries(typed).some(([name, value]) => value.trim() !== saved[name as keyof Values]);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    const { displayName, username, bio } = typed;
    const input = {
      ...(username !== undefined && { username }),
      ...(displayName !== undefined && { displayName: displayName || null }),
      ...(bio !== undefined && { bio: bio || null }),
    };
    await request(UpdateMeDocument, { input });
    for (const document of [ProfileDocument, MeDocument]) await cache.invalidateQueries({ queryKey: keyOf(document) });
    // What was typed during the request is kept.
    setTyped((now) => (now === typed ? {} : now));
    notify(common.saved);
  });
  const field = (name: keyof Values) => ({
    name,
    value: typed[name] ?? saved[name],
    onValueChange: (value: string) => setTyped({ ...typed, [name]: value }),
  });
  return (
    <Form className={styles.card} errors={fieldErrors} onSubmit={onSubmit} noValidate aria-label={texts.profile}>
      <LeaveGuard isDirty={isDirty && !isBusy} isLossy />
      <FormField label={texts.displayName} maxLength={80} {...field('displayName')} />
      <FormField label={texts.userName} dir="ltr" autoComplete="username" {...field('username')} />
      <FormField
        label={texts.aboutYou}
        render={<textarea rows={3} />}
        hint={texts.shownBesideAgentsPublish}
        {...field('bio')}
      />
      {failure && <ErrorNote error={failure} />}
      <div>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {common.save}
        </Button>
      </div>
    </Form>
  );
}

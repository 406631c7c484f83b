import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '../parts/common-texts.ts';
import { useSubmit } from '../parts/use-submit.ts';
import { MeDocument, ProfileDocument, type ProfileQuery, UpdateMeDocument } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ProfilePicture } from '../images/profile-picture.tsx';
import { ApiNote } from '../parts/api-note.tsx';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { notify } from '../parts/toast-store.ts';
import { EmailForm } from './email-form.tsx';
import { SettingsTabs } from '../parts/settings-tabs.tsx';
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

function ProfileForm({ me }: { me: ProfileQuery['me'] }) {
  const cache = useQueryClient();
  const [bio, setBio] = useState(me.bio ?? '');
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async (values) => {
    const input = { username: values['username'], displayName: values['displayName'] || null, bio: bio || null };
    await request(UpdateMeDocument, { input });
    for (const document of [ProfileDocument, MeDocument]) await cache.invalidateQueries({ queryKey: keyOf(document) });
    notify(common.saved);
  });
  return (
    <Form className={styles.card} errors={fieldErrors} onSubmit={onSubmit} noValidate aria-label={texts.profile}>
      <FormField name="displayName" label={texts.displayName} maxLength={80} defaultValue={me.displayName ?? ''} />
      <FormField name="username" label={texts.userName} dir="ltr" autoComplete="username" defaultValue={me.username} />
      <FormField
        name="bio"
        label={texts.aboutYou}
        render={<textarea rows={3} />}
        hint={texts.shownBesideAgentsPublish}
        value={bio}
        onValueChange={setBio}
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

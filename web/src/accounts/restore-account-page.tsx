import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { CardPage } from './card-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';
import { keepTyped, lastTyped } from './typed.ts';

export function RestoreAccountPage() {
  const navigate = useNavigate();
  const [typed] = useState(lastTyped);
  useEffect(() => keepTyped({}), []);
  return (
    <CardPage
      title={texts.restoreYourAccount}
      lead={texts.accountScheduledDeletionSigning}
      footer={<Link to="/sign-in">{texts.backSign}</Link>}
    >
      <SignInForm
        action="restore"
        typed={typed}
        label={texts.restoreAccount}
        onDone={() => void navigate({ to: '/chat' })}
      />
    </CardPage>
  );
}

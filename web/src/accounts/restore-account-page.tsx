import { Link, useNavigate } from '@tanstack/react-router';
import { CardPage } from './card-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';

export function RestoreAccountPage() {
  const navigate = useNavigate();
  return (
    <CardPage
      title={texts.restoreYourAccount}
      lead={texts.accountScheduledDeletionSigning}
      footer={<Link to="/sign-in">{texts.backSign}</Link>}
    >
      <SignInForm action="restore" label={texts.restoreAccount} onDone={() => void navigate({ to: '/chat' })} />
    </CardPage>
  );
}

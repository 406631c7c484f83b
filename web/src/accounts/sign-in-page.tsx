import { Link, useNavigate, useRouteContext } from '@tanstack/react-router';
import { fillIn } from '../parts/values/fill-in.tsx';
import { CardPage } from './card-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';

export function SignInPage() {
  const { next } = useRouteContext({ from: '/sign-in' });
  const navigate = useNavigate();
  return (
    <CardPage
      title={texts.signIn}
      footer={
        <>
          {fillIn(texts.noAccountYet, {
            link: (
              <Link to="/sign-up" search={{ next }}>
                {texts.createAccount}
              </Link>
            ),
          })}
        </>
      }
    >
      <SignInForm onDone={() => void navigate({ href: next ?? '/chat', replace: true })} />
    </CardPage>
  );
}

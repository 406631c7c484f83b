import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { MeDocument, ResendVerificationDocument, VerifyEmailDocument } from '../api/generated/operations.ts';
import { Queries } from '../api/queries.tsx';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { useSessionState } from '../api/use-session.ts';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { CardPage } from './card-page.tsx';
import { forgetFragmentToken, takeFragmentToken } from './fragment-token.ts';
import { OutboxLink } from '../parts/page/outbox-link.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';

const page = '/verify-email';

/** Confirms the e-mail address without a click. When signed out, it asks for the password first. */
export const VerifyEmailPage = () => (
  <Queries>
    <VerifyEmail />
  </Queries>
);

function VerifyEmail() {
  const [token] = useState(() => takeFragmentToken(page));
  const session = useSessionState();
  if (!token) return <VerificationNeedsLink />;
  if (session !== 'active') {
    return (
      <CardPage title={texts.confirmAddress} lead={texts.signConfirmAddressYours}>
        <SignInForm onDone={() => undefined} />
      </CardPage>
    );
  }
  return <Verification token={token} />;
}

function Verification({ token }: { token: string }) {
  const cache = useQueryClient();
  const { mutate, isSuccess, error } = useMutation({
    mutationFn: () => request(VerifyEmailDocument, { input: { token } }),
    onSuccess: () => {
      forgetFragmentToken(page);
      void cache.invalidateQueries({ queryKey: keyOf(MeDocument) });
    },
  });
  useEffect(() => mutate(), [mutate]);
  if (isSuccess) {
    return (
      <CardPage title={texts.addressConfirmed}>
        <ButtonLink to="/chat" variant="primary">
          {texts.continue}
        </ButtonLink>
      </CardPage>
    );
  }
  return (
    <CardPage title={texts.confirmAddress}>
      {error ? (
        <>
          <ErrorNote error={error} onRetry={() => mutate()} />
          <SendAnother />
        </>
      ) : (
        <p role="status">{texts.confirming}</p>
      )}
    </CardPage>
  );
}

function VerificationNeedsLink() {
  const isSignedIn = useSessionState() === 'active';
  return (
    <CardPage
      title={texts.confirmAddress}
      lead={texts.pageNeedsLinkMail}
      footer={isSignedIn ? <Link to="/chat">{texts.continue}</Link> : <Link to="/sign-in">{texts.backSign}</Link>}
    >
      {isSignedIn && <SendAnother />}
    </CardPage>
  );
}

function SendAnother() {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => request(ResendVerificationDocument, {}),
  });
  if (isSuccess) {
    return (
      <>
        <p role="status">{texts.anotherMailWay}</p>
        <OutboxLink />
      </>
    );
  }
  return (
    <>
      {error && <ErrorNote error={error} />}
      <Button isBusy={isPending} onClick={() => mutate()}>
        {texts.sendAnotherMail}
      </Button>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { MeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { abandonSession } from '../api/session.ts';
import { useSessionState } from '../api/use-session.ts';
import { Button } from '../parts/controls/button.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';

/** Asks for the password over the page when the session has ended, so that nothing typed is lost. */
export default function SessionExpiredDialog() {
  const state = useSessionState();
  const { data } = useQuery({ ...query(MeDocument, {}), enabled: false });
  return (
    <Dialog isOpen={state === 'expired'} title={texts.signAgain} description={texts.sessionEndedPageKept}>
      <SignInForm email={data?.me.email} hasForgotLink={false} onDone={() => undefined} />
      <Button variant="quiet" onClick={abandonSession}>
        {texts.leavePage}
      </Button>
    </Dialog>
  );
}

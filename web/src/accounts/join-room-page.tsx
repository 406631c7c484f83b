import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { JoinRoomByLinkDocument } from '../api/generated/operations.ts';
import { Queries } from '../api/queries.tsx';
import { request } from '../api/request.ts';
import { useSessionState } from '../api/use-session.ts';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { CardPage } from './card-page.tsx';
import { forgetFragmentToken, takeFragmentToken } from './fragment-token.ts';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts.ts';

const path = '/rooms/join';

/** Target of a room's join link. Without a session the person signs in or up first; the link is kept meanwhile. */
export const JoinRoomPage = () => (
  <Queries>
    <JoinRoom />
  </Queries>
);

function JoinRoom() {
  const [token] = useState(() => takeFragmentToken(path));
  const session = useSessionState();
  if (!token) {
    return (
      <CardPage title={texts.joinRoom} lead={texts.roomNeedsLink}>
        <ButtonLink to="/rooms">{texts.toRooms}</ButtonLink>
      </CardPage>
    );
  }
  if (session === 'active') return <Joining token={token} />;
  return (
    <CardPage
      title={texts.joinRoom}
      lead={texts.signInToJoin}
      footer={
        <Link to="/sign-up" search={{ next: path }}>
          {texts.createAccount}
        </Link>
      }
    >
      <SignInForm onDone={() => undefined} />
    </CardPage>
  );
}

function Joining({ token }: { token: string }) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => request(JoinRoomByLinkDocument, { token }),
    onSuccess: async ({ joinRoomByLink }) => {
      forgetFragmentToken(path);
      await navigate({ to: '/rooms/$roomId', params: { roomId: joinRoomByLink.id }, replace: true });
    },
  });
  return (
    <CardPage title={texts.joinRoom} lead={texts.othersSeeYou}>
      {error && (
        <ErrorNote error={error}>
          <p>{texts.linkNoLonger}</p>
        </ErrorNote>
      )}
      <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
        {texts.joinRoom}
      </Button>
    </CardPage>
  );
}

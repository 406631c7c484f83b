import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Ellipsis, Flag, VolumeX } from 'lucide-react';
import { useState } from 'react';
import {
  BlockDocument,
  FeedDocument,
  BlocksDocument,
  FollowDocument,
  MeDocument,
  MuteDocument,
  MutesDocument,
  type ProfilePartsFragment,
  PublicProfileDocument,
  UnfollowDocument,
  UnmuteDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { useSignedIn } from '../api/use-signed-in.ts';
import { ReportDialog } from '../moderation/report-dialog.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { Menu, MenuItem } from '../parts/layers/menu.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { followQueries } from './follow-queries.ts';
import { texts } from './texts.ts';

/** Actions on another account. */
export function ProfileActions({ profile }: { profile: ProfilePartsFragment }) {
  const isSignedIn = useSignedIn();
  const { data: account } = useQuery({ ...query(MeDocument, {}), enabled: isSignedIn });
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [layer, setLayer] = useState<'block' | 'report' | null>(null);
  const { id: userId, followed, muted } = profile;
  const refresh = async (): Promise<void> => {
    cache.removeQueries({ queryKey: keyOf(FeedDocument) });
    for (const document of [MutesDocument, BlocksDocument, ...followQueries])
      await cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const { mutate, isPending } = useMutation<unknown, Error, () => Promise<unknown>>({
    mutationFn: (change) => change(),
    onSuccess: refresh,
    onError: (error) => notifyFailure(texts.notChanged, error),
  });
  if (account?.me.id === userId) return <ButtonLink to="/settings/sharing">{texts.changeProfile}</ButtonLink>;
  return (
    <>
      {isSignedIn && (
        <Button
          variant={followed ? 'secondary' : 'primary'}
          isBusy={isPending}
          onClick={() =>
            mutate(() => (followed ? request(UnfollowDocument, { userId }) : request(FollowDocument, { userId })))
          }
        >
          {followed ? texts.unfollow : texts.follow}
        </Button>
      )}
      {isSignedIn ? (
        <Menu
          trigger={
            <IconButton label={texts.more}>
              <Ellipsis size={20} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<VolumeX size={16} />}
            onClick={() =>
              mutate(() => (muted ? request(UnmuteDocument, { userId }) : request(MuteDocument, { userId })))
            }
          >
            {muted ? texts.unmute : texts.mute}
          </MenuItem>
          <MenuItem icon={<Flag size={16} />} onClick={() => setLayer('report')}>
            {texts.report}
          </MenuItem>
          <MenuItem icon={<Ban size={16} />} isDangerous onClick={() => setLayer('block')}>
            {texts.block}
          </MenuItem>
        </Menu>
      ) : (
        <Button onClick={() => setLayer('report')}>
          <Flag size={16} />
          {texts.report}
        </Button>
      )}
      <ReportDialog
        isOpen={layer === 'report'}
        subject={{ type: 'USER', id: userId }}
        picture={profile.picture?.medium}
        banner={profile.bannerUrl}
        onClose={() => setLayer(null)}
      />
      <ConfirmDialog
        isOpen={layer === 'block'}
        title={texts.blockQuestion}
        description={texts.blockEffect}
        action={texts.block}
        onClose={() => setLayer(null)}
        onConfirm={async () => {
          await request(BlockDocument, { userId });
          cache.removeQueries({ queryKey: keyOf(FeedDocument) });
          notify(texts.blocked);
          await navigate({ to: '/marketplace' });
          cache.removeQueries({ queryKey: keyOf(PublicProfileDocument) });
          await refresh();
        }}
      />
    </>
  );
}

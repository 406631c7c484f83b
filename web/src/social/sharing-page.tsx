import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  BlocksDocument,
  MutesDocument,
  OwnProfileDocument,
  type OwnProfileQuery,
  type ProfileInput,
  RevokeShareDocument,
  SharesDocument,
  type ShareType,
  UnblockDocument,
  UnmuteDocument,
  UpdateProfileDocument,
} from '../api/generated/operations.ts';
import { keyOf, pagedQuery, query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { useOwnAgents } from '../api/use-own-agents.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { ownNavItems } from './own-nav-items.ts';
import { People } from './people.tsx';
import { ProfileBanner } from './profile-banner.tsx';
import { texts } from './texts.ts';
import styles from './social.module.css';

/** Privacy of the profile, the person's shares, and blocked and muted accounts. */
export function SharingPage() {
  const { data, error, refetch } = useQuery(query(OwnProfileDocument, {}));
  return (
    <Page title={texts.sharing} tabs={<SettingsTabs />}>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['100%', '100%']} height={44} />}
      {data && <PublicFace profile={data.ownProfile} />}
      <Shares />
      <Blocked />
      <Muted />
      <ApiNote tag="social" path="/v1/social/profile" />
    </Page>
  );
}

/** Switches of the public profile. Each is saved immediately. */
function PublicFace({ profile }: { profile: OwnProfileQuery['ownProfile'] }) {
  const cache = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (input: ProfileInput) => request(UpdateProfileDocument, { input }),
    onError: (error) => notifyFailure(texts.notChanged, error),
    onSettled: () => cache.invalidateQueries({ queryKey: keyOf(OwnProfileDocument) }),
  });
  const choice = (label: string, isOn: boolean, change: (isOn: boolean) => ProfileInput) => (
    <label className={styles.check}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => mutate(change(target.checked))} />
      {label}
    </label>
  );
  return (
    <section className={styles.section} aria-label={texts.publicFace}>
      <div className={styles.headline}>
        <h2>{texts.publicFace}</h2>
        <ButtonLink to="/users/$username" params={{ username: profile.username }}>
          {texts.seeProfile}
        </ButtonLink>
      </div>
      <ProfileBanner profile={profile} />
      <div>
        {choice(texts.everyoneSees, profile.visibility !== 'HIDDEN', (isOn) => ({
          visibility: isOn ? 'PUBLIC' : 'HIDDEN',
        }))}
        {profile.visibility === 'HIDDEN' && <p className={styles.hint}>{texts.hiddenMeans}</p>}
        {choice(texts.showFollowing, profile.showFollowing === true, (showFollowing) => ({ showFollowing }))}
        {choice(texts.showMature, profile.showMature === true, (showMature) => ({ showMature }))}
      </div>
      <div className={styles.facts}>
        {ownNavItems.map(({ to, label }) => (
          <Link key={to} to={to}>
            {label}
          </Link>
        ))}
      </div>
    </section>
  );
}

function defaultTitleOf(type: ShareType, agentName: string | undefined): string {
  if (type === 'AGENT') return agentName ?? texts.anAgent;
  return agentName ? texts.conversationWith(agentName) : texts.defaultTitle;
}

function Shares() {
  const cache = useQueryClient();
  const names = new Map(useOwnAgents()?.map(({ id, name }) => [id, name]));
  const [revoked, setRevoked] = useState<string | null>(null);
  const list = useInfiniteQuery(
    pagedQuery(SharesDocument, {}, ({ shares: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null)),
  );
  const shares = list.data?.pages.flatMap((page) => page.shares.data);
  return (
    <section className={styles.section} aria-label={texts.sharedLinks}>
      <h2>{texts.sharedLinks}</h2>
      {shares?.length === 0 && <p className={styles.hint}>{texts.noShareYet}</p>}
      {shares && shares.length > 0 && (
        <ul className={styles.rows}>
          {shares.map(({ id, title, type, agentId, viewCount, anonymous, createdAt, revokedAt }) => (
            <li key={id} data-row tabIndex={-1}>
              <div>
                <strong>
                  <bdi>{title ?? defaultTitleOf(type, names.get(agentId))}</bdi>
                </strong>
                <p className={styles.hint}>
                  <TimeAgo date={createdAt} /> · {texts.views(viewCount)} ·{' '}
                  {anonymous ? texts.withoutName : texts.withName}
                </p>
              </div>
              {revokedAt ? (
                <span className={styles.hint}>{texts.revoked}</span>
              ) : (
                <Button size="small" onClick={() => setRevoked(id)}>
                  {texts.revoke}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
      <ConfirmDialog
        isOpen={revoked !== null}
        title={texts.revokeQuestion}
        description={texts.revokeEffect}
        action={texts.revoke}
        onClose={() => setRevoked(null)}
        onConfirm={async () => {
          if (revoked) await requestRemoval(RevokeShareDocument, { id: revoked });
          await cache.invalidateQueries({ queryKey: keyOf(SharesDocument) });
        }}
      />
    </section>
  );
}

function Blocked() {
  const cache = useQueryClient();
  const list = useInfiniteQuery(
    pagedQuery(BlocksDocument, {}, ({ blocks: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null)),
  );
  return (
    <People
      title={texts.blocks}
      empty={texts.noBlock}
      action={texts.unblock}
      people={list.data?.pages.flatMap((page) => page.blocks.data)}
      list={list}
      onAction={async (userId) => {
        await request(UnblockDocument, { userId });
        await cache.invalidateQueries({ queryKey: keyOf(BlocksDocument) });
      }}
    />
  );
}

function Muted() {
  const cache = useQueryClient();
  const list = useInfiniteQuery(
    pagedQuery(MutesDocument, {}, ({ mutes: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null)),
  );
  return (
    <People
      title={texts.mutes}
      empty={texts.noMute}
      action={texts.unmute}
      people={list.data?.pages.flatMap((page) => page.mutes.data)}
      list={list}
      onAction={async (userId) => {
        await request(UnmuteDocument, { userId });
        await cache.invalidateQueries({ queryKey: keyOf(MutesDocument) });
      }}
    />
  );
}

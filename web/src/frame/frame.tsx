import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon, SquarePen } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useSessionState } from '../api/use-session.ts';
import '../early.ts';
import { Queries } from '../api/queries.tsx';
import { useNotifiedConversation } from '../conversations/thread/reply-notification.ts';
import { AfterScreen, useScreenShown } from '../parts/after-screen.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { later } from '../parts/layers/later.ts';
import { OnceOpen } from '../parts/layers/once-open.tsx';
import { useScreenTitle } from '../parts/page/screen-title.ts';
import { Toasts } from '../parts/layers/toasts.tsx';
import { Tooltips } from '../parts/layers/tooltips.tsx';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { usePreferencesSync } from '../preferences/use-preferences-sync.ts';
import { Banners } from './states/banners.tsx';
import { GuestLayout } from './states/guest-layout.tsx';
import { ScreenPending } from './states/screen-pending.tsx';
import { Progress } from './states/progress.tsx';
import { isOpenToAll } from './session-guard.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import { texts } from './texts.ts';
import { useFrameShortcuts } from './use-frame-shortcuts.ts';
import { useKeyboardInset } from './use-keyboard-inset.ts';
import { useLiveUpdates } from './use-live-updates.ts';
import { useLoading } from './use-loading.ts';
import { useScrollMemory } from './use-scroll-memory.ts';
import { useUnsentMessages } from './use-unsent-messages.ts';
import { useMediaQuery } from '../parts/use-media-query.ts';
import styles from './frame.module.css';

const SessionExpiredDialog = later(() => import('../accounts/session-expired-dialog.tsx'));
const Palette = later(() => import('./palette/palette.tsx'));
const KeysDialog = later(() => import('./palette/keys-dialog.tsx'));
const SidebarDrawer = later(() => import('./sidebar/sidebar-drawer.tsx'));

/** The layers around every page of an account. */
export const Frame = () => (
  <Queries>
    <CSPProvider disableStyleElements>
      <Around />
      <SessionExpired />
      <Toasts />
      <Tooltips />
    </CSPProvider>
  </Queries>
);

function Around() {
  useScrollMemory();
  const isGuest = useSessionState() === 'signed-out';
  const { pathname } = useLocation();
  const loading = useLoading();
  return (
    <>
      <Progress isShown={loading !== 'none'} />
      {isGuest && isOpenToAll(pathname) ? <GuestLayout /> : <Layout isLoading={loading === 'long'} />}
    </>
  );
}

/** Sidebar and content. On a phone the sidebar is a drawer. */
function Layout({ isLoading }: { isLoading: boolean }) {
  useLateSignOut();
  useLiveUpdates();
  usePreferencesSync(useScreenShown());
  useNotifiedConversation();
  useUnsentMessages();
  useKeyboardInset();
  const isNarrow = useMediaQuery('(max-width: 719px)');
  const { isSidebarFolded } = usePreferences();
  const isFolded = isSidebarFolded && !isNarrow;
  const [layer, setLayer] = useState<'palette' | 'keys' | null>(null);
  const close = (): void => setLayer(null);
  const openKeys = (): void => setLayer('keys');
  useFrameShortcuts({ openPalette: () => setLayer('palette'), openKeys });
  return (
    <div className={styles.frame} data-folded={isFolded || undefined}>
      <a href="#content" className={styles.skip}>
        {texts.toTheContent}
      </a>
      {isNarrow ? (
        <TopBar />
      ) : (
        <aside className={styles.aside}>
          <AfterScreen>
            <Sidebar isFolded={isFolded} onFold={() => setPreferences({ isSidebarFolded: !isSidebarFolded })} />
          </AfterScreen>
        </aside>
      )}
      <div className={styles.column}>
        <AfterScreen>
          <Banners />
        </AfterScreen>
        <main id="content" tabIndex={-1} className={styles.content} data-loading={isLoading || undefined}>
          {isLoading && <ScreenPending />}
          <Suspense fallback={<ScreenPending />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <OnceOpen isOpen={layer === 'palette'} onClose={close}>
        <Palette isOpen={layer === 'palette'} onClose={close} onKeys={openKeys} />
      </OnceOpen>
      <OnceOpen isOpen={layer === 'keys'} onClose={close}>
        <KeysDialog isOpen={layer === 'keys'} onClose={close} />
      </OnceOpen>
    </div>
  );
}

/** Signs out a page that opened while the service was unavailable and later turned out to have no session. */
function useLateSignOut(): void {
  const router = useRouter();
  const state = useSessionState();
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'starting' && state === 'signed-out') void router.invalidate();
    before.current = state;
  }, [router, state]);
}

function SessionExpired() {
  return (
    <OnceOpen isOpen={useSessionState() === 'expired'}>
      <SessionExpiredDialog />
    </OnceOpen>
  );
}

/** The top bar on phones. Its title is hidden from screen readers, which read the heading of the screen. */
function TopBar() {
  const title = useScreenTitle();
  const navigate = useNavigate();
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  // Also a navigation to the page that is shown closes the drawer.
  useEffect(() => router.subscribe('onBeforeNavigate', () => setOpen(false)), [router]);
  return (
    <header className={styles.top}>
      <IconButton label={texts.menu} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(true)}>
        <MenuIcon size={20} />
      </IconButton>
      <OnceOpen isOpen={isOpen} onClose={() => setOpen(false)}>
        <SidebarDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
      </OnceOpen>
      <span className={styles.topTitle} aria-hidden="true" dir="auto">
        {title}
      </span>
      <IconButton label={texts.newChat} onClick={() => void navigate({ to: '/chat' })}>
        <SquarePen size={20} />
      </IconButton>
    </header>
  );
}

import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { ButtonLink } from '../../parts/controls/button-link.tsx';
import { Logo } from '../../parts/logo.tsx';
import { texts } from '../texts.ts';
import styles from './guest-layout.module.css';

/** Layout of public screens without a session: what the service is, and sign-in links that return to the screen. */
export function GuestLayout() {
  const { href } = useLocation();
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link to="/" className={styles.product}>
          <Logo size={22} />
          {texts.agentChat}
        </Link>
        <nav aria-label={texts.main} className={styles.ways}>
          <ButtonLink to="/marketplace" variant="quiet">
            {texts.marketplace}
          </ButtonLink>
          <ButtonLink to="/sign-in" search={{ next: href }}>
            {texts.signIn}
          </ButtonLink>
          <ButtonLink to="/sign-up" search={{ next: href }} variant="primary">
            {texts.createAccount}
          </ButtonLink>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

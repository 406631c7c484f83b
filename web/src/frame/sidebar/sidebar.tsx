import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen, Search, SquarePen } from 'lucide-react';
import { ConversationList } from '../../conversations/list/conversation-list.tsx';
import { common } from '../../parts/common-texts.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { Logo } from '../../parts/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { texts } from '../texts.ts';
import { UnreadRooms } from './unread-rooms.tsx';
import { UsageMeter } from './usage-meter.tsx';
import { useNavItems } from './use-nav-items.ts';
import styles from './sidebar.module.css';

/** Navigation to every screen, recent conversations and the account. Folded, it is a column of icons. */
export function Sidebar({ isFolded = false, onFold }: { isFolded?: boolean; onFold?: () => void }) {
  const navItems = useNavItems();
  const fold = isFolded ? texts.unfoldSidebar : texts.foldSidebar;
  return (
    <div className={styles.sidebar} data-folded={isFolded || undefined}>
      <div className={styles.head}>
        <Link to="/chat" className={styles.product} aria-label={isFolded ? texts.agentChat : undefined}>
          <Logo size={22} />
          <span>{texts.agentChat}</span>
        </Link>
        {onFold && (
          <IconButton size="small" label={fold} aria-expanded={!isFolded} onClick={onFold}>
            {isFolded ? <PanelLeftOpen size={16} /> : <PanelLeftClose size={16} />}
          </IconButton>
        )}
      </div>
      <div className={styles.actions}>
        <Link
          to="/chat"
          search={{}}
          activeOptions={{ exact: true }}
          className={styles.item}
          {...nameOf(texts.newChat, isFolded)}
        >
          <SquarePen size={16} />
          <span>{texts.newChat}</span>
        </Link>
        <Link
          to="/search"
          className={styles.item}
          activeProps={{ className: styles.active }}
          {...nameOf(common.search, isFolded)}
        >
          <Search size={16} />
          <span>{common.search}</span>
        </Link>
      </div>
      <div className={styles.middle}>
        <nav aria-label={texts.main} className={styles.navItems}>
          {navItems.map(({ to, label, Icon }) => (
            <Link
              key={to}
              to={to}
              className={styles.item}
              activeProps={{ className: styles.active }}
              {...nameOf(label, isFolded)}
            >
              <Icon size={16} />
              <span>{label}</span>
              {to === '/rooms' && <UnreadRooms />}
            </Link>
          ))}
        </nav>
        {!isFolded && <ConversationList />}
      </div>
      <div className={styles.foot}>
        {!isFolded && <UsageMeter />}
        <AccountMenu />
      </div>
    </div>
  );
}

/** Props that name an icon without a visible label. */
const nameOf = (label: string, isFolded: boolean) => (isFolded ? { 'aria-label': label, title: label } : {});

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, BookText, ChevronsUpDown, Heart, LogOut, Mailbox, SlidersHorizontal, UserRound } from 'lucide-react';
import { useState } from 'react';
import { MeDocument, ServiceDocument } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { hasTexts } from '../../chat/drafts/drafts.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { common } from '../../parts/common-texts.ts';
import { ConfirmDialog } from '../../parts/layers/confirm-dialog.tsx';
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '../../parts/layers/menu.tsx';
import { type Preferences, setPreferences, usePreferences } from '../../preferences/preferences.ts';
import { signOut } from './sign-out.ts';
import { texts } from '../texts.ts';
import styles from './sidebar.module.css';

const themes: readonly { value: Preferences['theme']; label: string }[] = [
  { value: 'system', label: texts.asTheSystem },
  { value: 'light', label: texts.light },
  { value: 'dark', label: texts.dark },
];

export function AccountMenu() {
  const { data: account } = useQuery(query(MeDocument, {}));
  const { data: service } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const navigate = useNavigate();
  const { theme } = usePreferences();
  const [isAsking, setAsking] = useState(false);
  const name = account?.me.displayName ?? account?.me.username ?? '';
  const outbox = service?.service.mailOutboxUrl;
  return (
    <>
      <Menu
        side="top"
        align="start"
        trigger={
          <button type="button" className={styles.account}>
            <span className="visually-hidden">{texts.accountMenu}</span>
            <Avatar name={name} picture={account?.me.picture} />
            <span className={styles.accountName}>
              <span dir="auto">{name}</span>
              <span className={styles.accountMail} dir="ltr">
                {account?.me.email}
              </span>
            </span>
            <ChevronsUpDown size={16} />
          </button>
        }
      >
        <MenuChoice
          label={texts.theme}
          value={theme}
          options={themes}
          onChange={(chosen) => setPreferences({ theme: chosen })}
        />
        <MenuSeparator />
        {account && (
          <MenuItem
            icon={<UserRound size={16} />}
            onClick={() => void navigate({ to: '/users/$username', params: { username: account.me.username } })}
          >
            {texts.yourProfile}
          </MenuItem>
        )}
        <MenuItem icon={<Heart size={16} />} onClick={() => void navigate({ to: '/me/likes' })}>
          {texts.likes}
        </MenuItem>
        <MenuItem icon={<SlidersHorizontal size={16} />} onClick={() => void navigate({ to: '/settings/profile' })}>
          {texts.settings}
        </MenuItem>
        <MenuLink icon={<BookOpen size={16} />} href="/docs">
          {common.apiReference}
        </MenuLink>
        <MenuLink icon={<BookText size={16} />} href="/docs/guide">
          {texts.guides}
        </MenuLink>
        {outbox && (
          <MenuLink icon={<Mailbox size={16} />} href={outbox}>
            {texts.localProfileMailOutbox}
          </MenuLink>
        )}
        <MenuSeparator />
        <MenuItem icon={<LogOut size={16} />} onClick={() => (hasTexts() ? setAsking(true) : void signOut())}>
          {texts.signOut}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        isOpen={isAsking}
        title={texts.askSignOut}
        description={texts.textsTypedDeviceNot}
        action={texts.signOut}
        variant="primary"
        onConfirm={signOut}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

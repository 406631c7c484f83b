import { common } from '../../parts/common-texts.ts';
import { type Preferences, usePreferences } from '../../preferences/preferences.ts';
import { Dialog } from '../../parts/layers/dialog.tsx';
import { settings } from '../sidebar/nav-items.ts';
import { texts as shared } from '../texts.ts';
import { texts } from './texts.ts';
import { useNavItems } from '../sidebar/use-nav-items.ts';
import styles from './keys-dialog.module.css';

const modifier = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';

interface Keys {
  title: string;
  keys: readonly (readonly [keys: string, does: string])[];
}

const groupsOf = (navItems: ReturnType<typeof useNavItems>, { sendKey }: Preferences): readonly Keys[] => [
  {
    title: texts.everywhere,
    keys: [
      [`${modifier} K`, texts.findScreenAgentConversation],
      [`${modifier} Shift O`, shared.newChat],
      ...[...navItems, settings].map(({ key, label }) => [`g ${key}`, label] as const),
      ['/', texts.toMessageField],
      ['j k', texts.nextPreviousRow],
      ['Enter', texts.openRow],
      [`${modifier} Enter`, texts.saveForm],
      ['Esc', texts.closeLayer],
      ['?', texts.thisList],
    ],
  },
  {
    title: texts.onMessage,
    keys: [
      ['c', texts.copy],
      ['r', texts.regenerate],
      ['e', common.edit],
      ['[ ]', texts.previousNextVersion],
      ['+ -', texts.goodBadReply],
    ],
  },
  {
    title: texts.inMessageField,
    keys: [
      [sendKey === 'enter' ? 'Enter' : `${modifier} Enter`, common.send],
      [sendKey === 'enter' ? 'Shift Enter' : 'Enter', texts.newLine],
      ['↑', texts.editLastMessage],
      ['Esc', texts.stopReply],
    ],
  },
];

/** Matches keys without a modifier, which a preference turns off outside text fields. */
const singleKey = /^[a-z/?[\]+-]( |$)/;

/** List of the keyboard shortcuts that work. */
function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const preferences = usePreferences();
  const { singleKeys } = preferences;
  const groups = groupsOf(useNavItems(), preferences)
    .map(({ title, keys }) => ({ title, keys: keys.filter(([key]) => singleKeys || !singleKey.test(key)) }))
    .filter(({ keys }) => keys.length > 0);
  const description = singleKeys ? texts.singleKeysOutside : texts.singleKeysOff;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} shape="wide" title={texts.keyboard} description={description}>
      <div className={styles.groups}>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className={styles.keys}>
              {keys.map(([key, does]) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((part) => (
                      <kbd key={part}>{part}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

export default KeysDialog;

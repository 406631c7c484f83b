import { type ReactNode, useId } from 'react';
import { ApiNote } from '../parts/page/api-note.tsx';
import { common } from '../parts/common-texts.ts';
import { Page } from '../parts/page/page.tsx';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import { type Preferences, setPreferences, usePreferences } from './preferences.ts';
import { SwitchRow } from './switch-row.tsx';
import { texts } from './texts.ts';
import styles from './preferences.module.css';

type Choice<Name extends keyof Preferences> = readonly (readonly [value: Preferences[Name], label: string])[];
type Choices = 'theme' | 'density' | 'sendKey' | 'language' | 'readingSpeed';
type Switches = 'singleKeys' | 'readAloud' | 'followReplies' | 'announceSentences' | 'reduceMotion';

/** Appearance and behaviour of the console. Changes apply immediately, without a save button. */
export const PreferencesPage = () => (
  <Page title={common.preferences} lead={texts.applyOnceFollowAccount} tabs={<SettingsTabs />}>
    <div className={styles.sections}>
      <Section title={texts.look}>
        <Select
          name="theme"
          label={texts.theme}
          choice={[
            ['system', texts.asTheSystem],
            ['light', texts.light],
            ['dark', texts.dark],
          ]}
        />
        <Select
          name="density"
          label={texts.density}
          choice={[
            ['comfortable', texts.comfortable],
            ['compact', texts.compact],
          ]}
        />
        <Switch name="reduceMotion" label={texts.reduceMotion} hint={texts.whateverSystemSays} />
        <Select name="language" label={texts.language} choice={[['en', texts.english]]} />
      </Section>
      <Section title={texts.keys}>
        <Select
          name="sendKey"
          label={texts.sendMessage}
          choice={[
            ['enter', 'Enter'],
            ['ctrl-enter', texts.ctrlCmdEnter],
          ]}
        />
        <Switch name="singleKeys" label={texts.singleKeys} hint={texts.suchJKOutside} />
      </Section>
      <Section title={texts.replies}>
        <Switch name="followReplies" label={texts.followReplies} hint={texts.scrollAlongWhileReply} />
        <Switch name="readAloud" label={texts.readRepliesAloud} />
        <Select
          name="readingSpeed"
          label={texts.speedReading}
          choice={[0.75, 1, 1.25, 1.5, 1.75, 2].map((speed) => [speed, `${speed} ×`] as const)}
        />
        <Switch name="announceSentences" label={texts.announceSentences} hint={texts.screenReaderSaysEach} />
        <NotificationSwitch />
      </Section>
    </div>
    <ApiNote tag="auth-and-account" method="POST" path="/graphql" body={{ query: texts.graphqlQuery }} />
  </Page>
);

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    <div>{children}</div>
  </section>
);

interface SelectProps<Name extends Choices> {
  name: Name;
  label: string;
  choice: Choice<Name>;
}

function Select<Name extends Choices>({ name, label, choice }: SelectProps<Name>) {
  const id = useId();
  const value = usePreferences()[name];
  return (
    <div className={styles.row}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => setPreferences({ [name]: choice[target.selectedIndex]?.[0] ?? value })}
      >
        {choice.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Switch({ name, label, hint }: { name: Switches; label: string; hint?: string }) {
  const isOn = usePreferences()[name];
  return (
    <SwitchRow label={label} hint={hint} isOn={isOn} onChange={(changed) => setPreferences({ [name]: changed })} />
  );
}

import { BookOpen } from 'lucide-react';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { common } from '../parts/common-texts.ts';
import { Logo } from '../parts/logo.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';
import { texts } from './texts.ts';
import buttonStyles from '../parts/controls/button.module.css';
import styles from './welcome-page.module.css';

const points = [
  [texts.makeAgent, texts.giveNameInstructionsTry],
  [texts.teachIt, texts.uploadDocumentsRepliesCite],
  [texts.connectIt, texts.talkHereThroughRest],
] as const;

export const WelcomePage = () => (
  <div className={styles.page}>
    <header className={styles.header}>
      <span className={styles.product}>
        <Logo /> {texts.agentChat}
      </span>
      <ButtonLink to="/sign-in" variant="quiet">
        {texts.signIn}
      </ButtonLink>
    </header>
    <main className={styles.main}>
      <PageTitle title={texts.aiAgentMinute} className={styles.title} />
      <p className={styles.lead}>{texts.describeShouldGiveDocuments}</p>
      <div className={styles.actions}>
        <ButtonLink to="/sign-up" variant="primary">
          {texts.createAccount}
        </ButtonLink>
        <a className={`${buttonStyles.button} ${buttonStyles.secondary}`} href="/docs">
          <BookOpen size={16} />
          {common.apiReference}
        </a>
      </div>
      <ul className={styles.points}>
        {points.map(([title, text]) => (
          <li key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </main>
  </div>
);

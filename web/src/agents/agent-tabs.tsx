import { Link } from '@tanstack/react-router';
import { common } from '../parts/common-texts.ts';
import { Tabs } from '../parts/page/tabs.tsx';
import { texts } from './texts.ts';
import styles from '../parts/page/page.module.css';

const tabs = [
  { to: '/agents/$agentId/edit', label: common.edit },
  { to: '/agents/$agentId/knowledge', label: texts.knowledge },
  { to: '/agents/$agentId/listing', label: texts.listing },
  { to: '/agents/$agentId/versions', label: texts.versions },
  { to: '/agents/$agentId/experiments', label: texts.experiments },
  { to: '/agents/$agentId/analytics', label: texts.analytics },
] as const;

export const AgentTabs = ({ agentId }: { agentId: string }) => (
  <Tabs label={common.agent}>
    {tabs.map(({ to, label }) => (
      <Link key={to} to={to} params={{ agentId }} className={styles.tab} activeProps={{ className: styles.active }}>
        {label}
      </Link>
    ))}
  </Tabs>
);

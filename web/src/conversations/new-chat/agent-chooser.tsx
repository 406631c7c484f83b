import { ChevronsUpDown } from 'lucide-react';
import { Avatar } from '../../parts/avatar.tsx';
import { Button, type ButtonProps } from '../../parts/controls/button.tsx';
import { common } from '../../parts/common-texts.ts';
import { later } from '../../parts/layers/later.ts';
import { OpenedBy } from '../../parts/layers/opened-by.tsx';
import type { Agent } from './chooser-layer.tsx';
import { texts } from './texts.ts';
import styles from './agent-chooser.module.css';

const ChooserLayer = later(async () => ({ default: (await import('./chooser-layer.tsx')).ChooserLayer }));

interface AgentChooserProps {
  agent: Agent | null;
  onChoose: (id: string) => void;
}

/** A button with the chosen agent. Its list is rendered when it opens for the first time. */
export function AgentChooser({ agent, onChoose }: AgentChooserProps) {
  const look: ButtonProps = {
    variant: 'quiet',
    className: styles.trigger,
    children: (
      <>
        {agent && <span className="visually-hidden">{common.agent}: </span>}
        {agent && <Avatar name={agent.name} picture={agent.picture} size={22} />}
        <span className={styles.name} dir="auto">
          {agent?.name ?? texts.chooseAgent}
        </span>
        <ChevronsUpDown size={14} />
      </>
    ),
  };
  return (
    <OpenedBy trigger={<Button {...look} />} popup="dialog">
      <ChooserLayer trigger={<Button {...look} />} agent={agent} onChoose={onChoose} />
    </OpenedBy>
  );
}

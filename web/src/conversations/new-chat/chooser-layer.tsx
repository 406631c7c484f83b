import { Combobox } from '@base-ui/react/combobox';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useDeferredValue, useState } from 'react';
import { PublicChatAgentsDocument, type PicturePartsFragment } from '../../api/generated/operations.ts';
import { useOwnAgents } from '../../api/use-own-agents.ts';
import { query } from '../../api/query.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { ErrorNote } from '../../parts/lists/error-note.tsx';
import { common } from '../../parts/common-texts.ts';
import { texts } from './texts.ts';
import menuStyles from '../../parts/layers/menu.module.css';
import styles from './agent-chooser.module.css';

export interface Agent {
  id: string;
  name: string;
  picture?: PicturePartsFragment | null;
}

interface ChooserLayerProps {
  /** The button that opens it. */
  trigger: ReactElement;
  agent: Agent | null;
  onChoose: (id: string) => void;
}

/** More are found by typing. */
const maximumShown = 100;

/** Opens with a list of agents: first the person's own, then public ones. */
export function ChooserLayer({ trigger, agent, onChoose }: ChooserLayerProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(true);
  const q = useDeferredValue(typed);
  const mine = useOwnAgents();
  const {
    data: found,
    isPlaceholderData,
    error,
    refetch,
  } = useQuery({
    ...query(PublicChatAgentsDocument, { q: q || null }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const isLoaded = mine !== null && found !== undefined && !isPlaceholderData;
  const whyEmpty = isLoaded ? texts.noAgentName : texts.loadingAgents;
  const own = mine ?? [];
  const ownIds = new Set(own.map(({ id }) => id));
  const groups = [
    {
      value: texts.yourAgents,
      items: own.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())).slice(0, maximumShown),
    },
    { value: texts.publicAgents, items: found?.exploreAgents.data.filter(({ id }) => !ownIds.has(id)) ?? [] },
  ].filter(({ items }) => items.length > 0);
  return (
    <Combobox.Root
      items={groups}
      filter={null}
      value={agent}
      open={isOpen}
      onOpenChange={setOpen}
      onInputValueChange={setTyped}
      itemToStringLabel={(item: Agent) => item.name}
      isItemEqualToValue={(item: Agent, value: Agent) => item.id === value.id}
      onValueChange={(chosen: Agent | null) => chosen && onChoose(chosen.id)}
    >
      <Combobox.Trigger render={trigger} />
      <Combobox.Portal>
        <Combobox.Positioner className={menuStyles.positioner} sideOffset={6} align="start">
          <Combobox.Popup className={`${menuStyles.popup} ${styles.popup}`} aria-label={common.agents}>
            <Combobox.Input className={styles.input} placeholder={texts.findAgent} aria-label={texts.findAgent} />
            <Combobox.Empty className={styles.empty}>{!error && whyEmpty}</Combobox.Empty>
            {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
            <Combobox.List className={styles.list}>
              {(group: { value: string; items: Agent[] }) => (
                <Combobox.Group key={group.value} items={group.items}>
                  <Combobox.GroupLabel className={menuStyles.label}>{group.value}</Combobox.GroupLabel>
                  <Combobox.Collection>
                    {(item: Agent) => (
                      <Combobox.Item key={item.id} value={item} className={menuStyles.item}>
                        <Avatar name={item.name} picture={item.picture} size={22} />
                        <span className={styles.name} dir="auto">
                          {item.name}
                        </span>
                      </Combobox.Item>
                    )}
                  </Combobox.Collection>
                </Combobox.Group>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

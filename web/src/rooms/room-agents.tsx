import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import {
  AddRoomAgentDocument,
  PublicChatAgentsDocument,
  RemoveRoomAgentDocument,
  type RoomAgentPatch,
  type RoomQuery,
  UpdateRoomAgentDocument,
} from '../api/generated/operations.ts';
import { useOwnAgents } from '../api/use-own-agents.ts';
import { query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';
import styles from './rooms.module.css';

interface RoomAgentsProps {
  room: RoomQuery['room'];
  onChanged: () => Promise<void>;
}

/** The agents of a room, in the order in which they reply. */
export function RoomAgents({ room, onChanged }: RoomAgentsProps) {
  const { id: roomId, agents } = room;
  const moderates = room.myRole !== 'MEMBER';
  const act = (run: () => Promise<unknown>): void =>
    void run()
      .then(onChanged)
      .catch((error: unknown) => notifyFailure(texts.notChanged, error));
  const patch = (agentId: string, input: RoomAgentPatch): Promise<unknown> =>
    request(UpdateRoomAgentDocument, { roomId, agentId, input });
  return (
    <section className={styles.section} aria-labelledby="agents">
      <h2 id="agents">{common.agents}</h2>
      {agents.length === 0 && <p className={styles.hint}>{texts.noAgent}</p>}
      <ul className={styles.rows}>
        {agents.map(({ agentId, name, picture, muted, available, position }) => (
          <li key={agentId} className={styles.row}>
            <Avatar name={name} seed={agentId} picture={picture} size={32} />
            <div className={styles.rowText}>
              <span dir="auto">{name}</span>
              {!available && <small>{texts.unavailable}</small>}
              {available && muted && <small>{texts.silent}</small>}
            </div>
            {moderates && (
              <>
                <IconButton
                  size="small"
                  label={texts.up(name)}
                  disabled={position === 1}
                  onClick={() => act(() => patch(agentId, { position: position - 1 }))}
                >
                  <ArrowUp size={16} />
                </IconButton>
                <IconButton
                  size="small"
                  label={texts.down(name)}
                  disabled={position === agents.length}
                  onClick={() => act(() => patch(agentId, { position: position + 1 }))}
                >
                  <ArrowDown size={16} />
                </IconButton>
                <Button size="small" onClick={() => act(() => patch(agentId, { muted: !muted }))}>
                  {muted ? texts.unmute : texts.mute}
                </Button>
                <Button
                  size="small"
                  aria-label={texts.removeNamed(name)}
                  onClick={() => act(() => requestRemoval(RemoveRoomAgentDocument, { roomId, agentId }))}
                >
                  {common.remove}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {moderates && (
        <AddAgent
          taken={new Set(agents.map(({ agentId }) => agentId))}
          onAdd={(agentId) => act(() => request(AddRoomAgentDocument, { roomId, agentId }))}
        />
      )}
    </section>
  );
}

function AddAgent({ taken, onAdd }: { taken: ReadonlySet<string>; onAdd: (agentId: string) => void }) {
  const mine = useOwnAgents();
  const { data: found } = useQuery(query(PublicChatAgentsDocument, { q: null }));
  const [chosen, setChosen] = useState('');
  const all = [...(mine ?? []), ...(found?.exploreAgents.data ?? [])];
  const options = [...new Map(all.map(({ id, name }) => [id, name]))].filter(([id]) => !taken.has(id));
  return (
    <div className={styles.form}>
      <SelectField
        name="agent"
        label={texts.addAgent}
        hint={texts.addAgentHint}
        value={chosen}
        options={[['', texts.chooseAgent], ...options]}
        onChange={setChosen}
      />
      <Button
        className={styles.start}
        disabled={chosen === ''}
        onClick={() => {
          onAdd(chosen);
          setChosen('');
        }}
      >
        {texts.add}
      </Button>
    </div>
  );
}

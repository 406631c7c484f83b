import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AddRoomAgentDocument, CreateRoomDocument, type RoomInput } from '../api/generated/operations.ts';
import { useOwnAgents } from '../api/use-own-agents.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { replyModes } from './reply-modes.ts';
import { roomsQuery } from './room-queries.ts';
import { texts } from './texts.ts';
import styles from './rooms.module.css';

interface NewRoomDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export const NewRoomDialog = ({ isOpen, onClose }: NewRoomDialogProps) => (
  <Dialog isOpen={isOpen} title={texts.newRoom} shape="wide" onClose={onClose}>
    <NewRoomForm onClose={onClose} />
  </Dialog>
);

function NewRoomForm({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const agents = useOwnAgents();
  const [replyMode, setReplyMode] = useState('MENTION');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async ({ name = '' }) => {
    const input = { name, replyMode: replyMode as NonNullable<RoomInput['replyMode']> };
    const { createRoom } = await request(CreateRoomDocument, { input });
    // The room already exists: a refused agent does not undo its creation.
    for (const agentId of chosen) {
      await request(AddRoomAgentDocument, { roomId: createRoom.id, agentId }).catch((error: unknown) =>
        notifyFailure(texts.addedAgentFailed, error),
      );
    }
    void cache.invalidateQueries({ queryKey: roomsQuery().queryKey });
    await navigate({ to: '/rooms/$roomId', params: { roomId: createRoom.id } });
  });
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Form className={styles.form} errors={fieldErrors} noValidate onSubmit={onSubmit}>
      <FormField name="name" label={texts.roomName} maxLength={80} />
      <SelectField
        name="replyMode"
        label={texts.replyMode}
        value={replyMode}
        options={replyModes}
        onChange={setReplyMode}
      />
      {agents && agents.length > 0 && (
        <fieldset className={styles.choices}>
          <legend>{texts.agentsToBring}</legend>
          {agents.map(({ id, name }) => (
            <label key={id} className={styles.check}>
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
              <span dir="auto">{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      {failure && <ErrorNote error={failure} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {texts.create}
        </Button>
      </DialogActions>
    </Form>
  );
}

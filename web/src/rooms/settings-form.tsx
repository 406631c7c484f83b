import { useState } from 'react';
import { type RoomPatch, type RoomQuery, UpdateRoomDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { LeaveGuard } from '../parts/controls/leave-guard.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { replyModes } from './reply-modes.ts';
import { texts } from './texts.ts';
import styles from './rooms.module.css';

interface SettingsFormProps {
  room: RoomQuery['room'];
  onSaved: () => void;
}

const payers = [
  ['SENDER', texts.payerSender],
  ['OWNER', texts.payerOwner],
] as const;
const histories = [
  ['FROM_JOIN', texts.historyFromJoin],
  ['ALL', texts.historyAll],
] as const;
const numbers = (from: number, to: number): (readonly [string, string])[] =>
  Array.from({ length: to - from + 1 }, (_one, index) => [String(from + index), String(from + index)] as const);

const valuesOf = (room: RoomQuery['room']) => ({
  name: room.name,
  description: room.description ?? '',
  scene: room.scene ?? '',
  replyMode: room.replyMode,
  agentHops: String(room.agentHops),
  repliesPerMessage: String(room.repliesPerMessage),
  payer: room.payer,
  history: room.history,
});
type Values = ReturnType<typeof valuesOf>;

/** Settings of a room. Moderators may change name and description; only the owner may change the rest. */
export function SettingsForm({ room, onSaved }: SettingsFormProps) {
  const [initial, setInitial] = useState(() => valuesOf(room));
  const [values, setValues] = useState(initial);
  const isOwner = room.myRole === 'OWNER';
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    const named: RoomPatch = { name: values.name, description: values.description.trim() || null };
    const rest: RoomPatch = {
      scene: values.scene.trim() || null,
      replyMode: values.replyMode,
      agentHops: Number(values.agentHops),
      repliesPerMessage: Number(values.repliesPerMessage),
      payer: values.payer,
      history: values.history,
    };
    // Only what was changed here, so that the changes of another moderator stay.
    const changed = Object.entries(isOwner ? { ...named, ...rest } : named).filter(
      ([name]) => values[name as keyof Values] !== initial[name as keyof Values],
    );
    await request(UpdateRoomDocument, { id: room.id, input: Object.fromEntries(changed) as RoomPatch });
    setInitial(values);
    notify(common.saved);
    onSaved();
  });
  const isDirty = Object.keys(values).some((name) => values[name as keyof Values] !== initial[name as keyof Values]);
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    onValueChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  const choice = (name: keyof Values) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value } as Values),
  });
  return (
    <section className={styles.section} aria-labelledby="how">
      <h2 id="how">{texts.howItWorks}</h2>
      <Form className={styles.form} errors={fieldErrors} noValidate onSubmit={onSubmit}>
        <LeaveGuard isDirty={isDirty && !isBusy} isLossy />
        <FormField label={texts.roomName} maxLength={80} {...field('name')} />
        <FormField label={texts.about} maxLength={300} {...field('description')} />
        {isOwner && (
          <>
            <SelectField label={texts.replyMode} options={replyModes} {...choice('replyMode')} />
            <div className={styles.pair}>
              <SelectField
                label={texts.perMessage}
                hint={texts.perMessageHint}
                options={numbers(1, 10)}
                {...choice('repliesPerMessage')}
              />
              <SelectField label={texts.hops} hint={texts.hopsHint} options={numbers(0, 4)} {...choice('agentHops')} />
            </div>
            <SelectField label={texts.payer} hint={texts.payerHint} options={payers} {...choice('payer')} />
            <SelectField label={texts.history} hint={texts.historyHint} options={histories} {...choice('history')} />
            <FormField
              label={texts.scene}
              hint={texts.sceneHint}
              render={(<textarea rows={4} />) as never}
              {...field('scene')}
            />
          </>
        )}
        {failure && <ErrorNote error={failure} />}
        <Button type="submit" variant="primary" className={styles.start} isBusy={isBusy}>
          {common.save}
        </Button>
      </Form>
    </section>
  );
}

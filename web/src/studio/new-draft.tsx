import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AgentValues } from '../agents/agent-values.ts';
import {
  AgentVersionsDocument,
  CreateAgentVersionDocument,
  type CreateAgentVersionInput,
  type StudioAgentQuery,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { later } from '../parts/layers/later.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { texts } from './texts.ts';
import styles from './studio.module.css';

const fields = () => import('../agents/behaviour-fields.tsx');
const ModelAndVoiceFields = later(async () => ({ default: (await fields()).ModelAndVoiceFields }));
const GreetingField = later(async () => ({ default: (await fields()).GreetingField }));

type Behaviour = Pick<AgentValues, 'instructions' | 'model' | 'greetingMessage' | 'voiceId'>;
type Live = NonNullable<StudioAgentQuery['agent']['liveVersion']>;

const behaviourOf = ({ instructions, model, greetingMessage, voiceId }: Live): Behaviour => ({
  instructions,
  model,
  greetingMessage: greetingMessage ?? '',
  voiceId: voiceId ?? '',
});

/** Converts form values to input. An empty greeting or voice is none, whatever the live version has. */
const inputOf = (
  { instructions, model, greetingMessage, voiceId }: Behaviour,
  note: string,
): CreateAgentVersionInput => ({
  instructions,
  model: model as CreateAgentVersionInput['model'],
  greetingMessage: greetingMessage || null,
  voiceId: (voiceId || null) as CreateAgentVersionInput['voiceId'],
  note: note || null,
});

/** Creates a draft version, prefilled with the live one. */
export function NewDraft({ agentId, live }: { agentId: string; live: Live }) {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [values, setValues] = useState(() => behaviourOf(live));
  const [note, setNote] = useState('');
  const change = (part: Partial<Behaviour>) => setValues((before) => ({ ...before, ...part }));
  const { save, isPending, error, errors } = useSave(
    () => request(CreateAgentVersionDocument, { agentId, input: inputOf(values, note) }),
    () => {
      void cache.invalidateQueries({ queryKey: keyOf(AgentVersionsDocument) });
      setOpen(false);
      setNote('');
      notify(texts.draftSaved);
    },
  );
  return (
    <>
      <Button
        variant="primary"
        onClick={() => {
          setValues(behaviourOf(live));
          setOpen(true);
        }}
      >
        <Plus size={16} />
        {texts.newDraft}
      </Button>
      <Dialog isOpen={isOpen} title={texts.newDraft} shape="wide" onClose={() => setOpen(false)}>
        <Form
          className={styles.form}
          errors={errors}
          onSubmit={(event) => {
            event.preventDefault();
            save(event.currentTarget);
          }}
        >
          <p className={styles.hint}>{texts.onlyGetDraftWhen}</p>
          <FormField
            name="instructions"
            label={texts.instructions}
            value={values.instructions}
            render={<textarea rows={8} />}
            onValueChange={(instructions) => change({ instructions })}
          />
          <ModelAndVoiceFields values={values} onChange={change} />
          <GreetingField value={values.greetingMessage} hint={texts.emptyGreeting} onChange={change} />
          <FormField name="note" label={texts.note} maxLength={300} value={note} onValueChange={setNote} />
          {error && <ErrorNote error={error} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{common.cancel}</Button>
            <Button type="submit" variant="primary" isBusy={isPending}>
              {texts.saveDraft}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { CreateExperimentDocument, type ExperimentMetric, ExperimentsDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { useSave } from '../parts/controls/use-save.ts';
import { texts } from './texts.ts';
import styles from './studio.module.css';

interface NewExperimentProps {
  agentId: string;
  live: { id: string; number: number };
  /** Options: the versions other than the live one. */
  challengers: readonly (readonly [id: string, label: string])[];
}

const metrics: readonly (readonly [ExperimentMetric, string])[] = [
  ['CONTINUED', texts.continuedThreeMoreMessages],
  ['RETURNED', texts.returnedMessageBetween24],
];
const shares = [
  ['50', texts.halfPeople],
  ['20', texts.oneInFive],
  ['10', texts.oneInTen],
] as const;

/** Creates a draft experiment between the live version and another one. */
export function NewExperiment({ agentId, live, challengers }: NewExperimentProps) {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [hypothesis, setHypothesis] = useState('');
  const [chosen, setChosen] = useState('');
  const [metric, setMetric] = useState<ExperimentMetric>('CONTINUED');
  const [share, setShare] = useState('50');
  const challenger = chosen || (challengers[0]?.[0] ?? '');
  const { save, isPending, error, errors } = useSave(
    () =>
      request(CreateExperimentDocument, {
        agentId,
        input: {
          name,
          hypothesis: hypothesis || null,
          metric,
          variants: [
            { key: 'a', versionId: live.id, weight: 100 - Number(share) },
            { key: 'b', versionId: challenger, weight: Number(share) },
          ],
        },
      }),
    () => {
      void cache.invalidateQueries({ queryKey: keyOf(ExperimentsDocument) });
      setOpen(false);
      setName('');
      setHypothesis('');
    },
  );
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus size={16} />
        {texts.newExperiment}
      </Button>
      <Dialog isOpen={isOpen} title={texts.newExperiment} onClose={() => setOpen(false)}>
        <Form
          className={styles.form}
          errors={errors}
          onSubmit={(event) => {
            event.preventDefault();
            save(event.currentTarget);
          }}
        >
          <FormField name="name" label={common.name} required maxLength={80} value={name} onValueChange={setName} />
          <FormField
            name="hypothesis"
            label={texts.whatDoYouExpect}
            maxLength={500}
            value={hypothesis}
            onValueChange={setHypothesis}
          />
          <SelectField
            name="challenger"
            label={texts.versionTryAgainstVersion(live.number)}
            value={challenger}
            options={challengers}
            onChange={setChosen}
          />
          <SelectField name="share" label={texts.whoGets} value={share} options={shares} onChange={setShare} />
          <SelectField
            name="metric"
            label={texts.successPerson}
            value={metric}
            options={metrics}
            onChange={(value) => setMetric(value as ExperimentMetric)}
          />
          {error && <ErrorNote error={error} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{common.cancel}</Button>
            <Button type="submit" variant="primary" isBusy={isPending}>
              {texts.createDraft}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}

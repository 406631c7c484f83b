import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  DecideModerationDocument,
  ModerationCaseDocument,
  ModerationCasesDocument,
  type ModerationAction,
  type ReportReason,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { drafts } from '../chat/drafts/drafts.ts';
import { useDraft } from '../chat/drafts/use-draft.ts';
import { Button } from '../parts/controls/button.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { offeredActions } from './actions.ts';
import type { CaseFile } from './case-file.ts';
import { reasonNames } from './names.ts';
import { texts } from './texts.ts';
import { WaitingAppeal } from './waiting-appeal.tsx';
import styles from './moderation.module.css';

/** Decides on a case, with a reason, then returns to the list of cases. */
export function DecisionForm({ file }: { file: CaseFile }) {
  const { subjectType, subjectId, appealedAt } = file.case;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const draft = `case:${subjectType}:${subjectId}`;
  const [statement, setStatement] = useDraft(draft);
  const [reason, setReason] = useState<ReportReason>(likelyReason(file));
  const [action, setAction] = useState<ModerationAction>('NONE');
  const [isAsking, setAsking] = useState(false);
  const isErased = action === 'REMOVE' && (subjectType === 'ROOM' || subjectType === 'ROOM_MESSAGE');
  const decide = async (): Promise<void> => {
    await request(DecideModerationDocument, { input: { subjectType, subjectId, action, reason, statement } });
    drafts.remove(draft);
    notify(texts.decided);
    void cache.invalidateQueries({ queryKey: keyOf(ModerationCasesDocument) });
    await navigate({ to: '/moderation', search: { state: appealedAt ? 'APPEALED' : undefined } });
    cache.removeQueries({ queryKey: keyOf(ModerationCaseDocument) });
  };
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    if (isErased && statement.trim() !== '') setAsking(true);
    else await decide();
  });
  return (
    <section className={styles.section} aria-label={texts.decide}>
      <h2>{texts.decide}</h2>
      <Form className={styles.decision} errors={fieldErrors} onSubmit={onSubmit} noValidate>
        <WaitingAppeal file={file} />
        <fieldset className={styles.choices}>
          <legend>{texts.action}</legend>
          {offeredActions(file).map(([value, label, effect]) => (
            <label key={value}>
              <input
                type="radio"
                name="action"
                value={value}
                checked={action === value}
                aria-label={label}
                aria-describedby={`effect-${value}`}
                onChange={() => setAction(value)}
              />
              <span>
                {label}
                <span id={`effect-${value}`} className={styles.hint}>
                  {effect}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <SelectField
          name="reason"
          label={texts.reason}
          value={reason}
          options={reasonNames}
          onChange={(value) => setReason(value as ReportReason)}
        />
        <FormField
          name="statement"
          label={texts.statement}
          hint={texts.statementHint}
          render={<textarea rows={5} />}
          maxLength={4_000}
          value={statement}
          onValueChange={setStatement}
        />
        {failure && <ErrorNote error={failure} />}
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {texts.decide}
          </Button>
        </div>
      </Form>
      <ConfirmDialog
        isOpen={isAsking}
        title={subjectType === 'ROOM' ? texts.eraseRoom : texts.eraseMessage}
        description={texts.eraseEffect}
        action={texts.remove}
        onClose={() => setAsking(false)}
        onConfirm={decide}
      />
    </section>
  );
}

/** Returns the most frequent reason of the reports, else the reason of the last decision. */
function likelyReason({ reports, decisions }: CaseFile): ReportReason {
  const named = Object.entries(Object.groupBy(reports, (report) => report.reason));
  const [most] = named.toSorted(([, some], [, others]) => others.length - some.length);
  return (most?.[0] as ReportReason | undefined) ?? decisions[0]?.reason ?? 'OTHER';
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  IntegrationDocument,
  type IntegrationFieldsFragment,
  UpdateIntegrationDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { channelIdsIn } from './channel-ids.ts';
import { texts } from './texts.ts';
import styles from './integrations.module.css';

/** In which channels the agent replies, and to which messages. */
export function ChannelsForm({ integration }: { integration: IntegrationFieldsFragment }) {
  const cache = useQueryClient();
  const { id, channelIds, autoRespond, platform } = integration;
  // Null while it is not edited: updates from the service are shown then; they never overwrite typed text.
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const channels = typed ?? channelIds?.join(' ') ?? '';
  const isToAll = chosen ?? autoRespond;
  const hasChannels = platform !== 'CHAT_MESSENGER';
  const { save, isPending, error, errors } = useSave(async () => {
    const input = {
      ...(typed !== null && { channelIds: channelIdsIn(typed) }),
      ...(chosen !== null && { autoRespond: chosen }),
    };
    await request(UpdateIntegrationDocument, { id, input });
    notify(common.saved);
    await cache.invalidateQueries({ queryKey: keyOf(IntegrationDocument) });
    // What was edited during the request is kept.
    setTyped((now) => (now === typed ? null : now));
    setChosen((now) => (now === chosen ? null : now));
  });
  return (
    <section className={styles.section} aria-labelledby="answers">
      <h2 id="answers">{texts.whenAnswers}</h2>
      <Form
        className={styles.panel}
        errors={errors}
        onSubmit={(event) => {
          event.preventDefault();
          save(event.currentTarget);
        }}
      >
        {hasChannels && (
          <FormField
            name="channelIds"
            label={texts.channelIds}
            dir="ltr"
            hint={texts.spacesBetweenThem}
            value={channels}
            onValueChange={setTyped}
          />
        )}
        <label className={styles.check}>
          <input type="checkbox" checked={isToAll} onChange={({ target }) => setChosen(target.checked)} />
          {texts.answerEveryone}
        </label>
        {error && <ErrorNote error={error} />}
        <div>
          <Button type="submit" isBusy={isPending}>
            {common.save}
          </Button>
        </div>
      </Form>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ServiceDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { fetchAuthorized } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { CodeBox } from '../parts/values/code-box.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { OutboxLink } from '../parts/page/outbox-link.tsx';
import { Page } from '../parts/page/page.tsx';
import { setServiceTime } from '../api/service-time.ts';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { exactTime } from '../parts/values/time-ago.tsx';
import { useSingleMutation } from '../parts/controls/use-single-mutation.ts';
import { texts } from './texts.ts';
import styles from './settings.module.css';

const marks: readonly (readonly [mark: string, effect: string])[] = [
  ['[[slow]]', texts.eachWordComes300],
  ['[[wait:5000]]', texts.nothingFiveSecondsReply],
  ['[[drop:5]]', texts.connectionModelBreaksAfter],
  ['[[hang:5]]', texts.modelGoesSilentAfter],
  ['[[fail:429]]', texts.modelRefusesBecauseToo],
  ['[[filter:5]]', texts.contentFilterStopsReply],
  ['[[long:5000]]', texts.reply5000Words],
];

/** Tools of the embedded profile: simulated external services and the clock. */
export function LocalPage() {
  const { data } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  return (
    <Page title={texts.localProfile} lead={texts.serviceRunsItselfOutside} tabs={<SettingsTabs />}>
      <section className={styles.card} aria-labelledby="outside">
        <h2 id="outside">{texts.aroundService}</h2>
        <OutboxLink />
        {data?.service.simulatedPlatforms && (
          <p>
            {fillIn(texts.discordTelegramSlackSimulated, {
              link: <Link to="/integrations">{texts.connectOne}</Link>,
              bad: <code>{texts.bad}</code>,
            })}
          </p>
        )}
        <p>
          {fillIn(texts.paymentsSimulatedPaymentPage, { link: <Link to="/settings/billing">{texts.choosePlan}</Link> })}
        </p>
      </section>
      <Clock />
      <section className={styles.card} aria-labelledby="model">
        <h2 id="model">{texts.modelFails}</h2>
        <p className={styles.hint}>
          {fillIn(texts.putTheseIntoMessage, { link: <Link to="/chat">{texts.chat}</Link> })}
        </p>
        <ul className={styles.marks}>
          {marks.map(([mark, effect]) => (
            <li key={mark}>
              <CodeBox label={texts.mark(mark)} text={mark} isSingle />
              <span className={styles.hint}>{effect}</span>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}

const daySeconds = 86_400;

/** Moves the service's clock forward: periods end, plans renew, exports expire. */
function Clock() {
  const [days, setDays] = useState('31');
  const clock = useQuery({
    queryKey: ['DevClock'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const response = await fetchAuthorized('/dev/clock', { signal });
      const time = (await response.json()) as { now: string };
      setServiceTime(time.now);
      return time;
    },
  });
  const move = useSingleMutation({
    mutationFn: () =>
      fetchAuthorized('/dev/clock', {
        method: 'POST',
        body: JSON.stringify({ seconds: Math.round(Number(days) * daySeconds) }),
      }),
    onSuccess: () => clock.refetch(),
  });
  return (
    <section className={styles.card} aria-labelledby="clock">
      <h2 id="clock">{texts.time}</h2>
      <p className={styles.hint} role="status">
        {clock.data && texts.itIsForThis(exactTime(clock.data.now))} {texts.onlyMovesForward}
      </p>
      <QueryStates query={clock} lines={['60%']} />
      {move.error && <ErrorNote error={move.error} />}
      <Form
        className={styles.form}
        aria-label={texts.time}
        onSubmit={(event) => {
          event.preventDefault();
          move.mutate();
        }}
      >
        <FormField
          name="days"
          label={texts.days}
          type="number"
          min={0}
          max={3_650}
          value={days}
          onValueChange={setDays}
        />
        <div>
          <Button type="submit" isBusy={move.isPending}>
            {texts.moveTime}
          </Button>
        </div>
      </Form>
    </section>
  );
}

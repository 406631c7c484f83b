import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IntegrationFieldsFragment } from '../api/generated/operations.ts';
import { fetchAuthorized } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { useSingleMutation } from '../parts/controls/use-single-mutation.ts';
import { platforms } from './platforms.ts';
import { texts } from './texts.ts';
import styles from './integrations.module.css';

interface SimulatedMessage {
  id: string;
  author: string;
  text: string;
  from_bot: boolean;
}

const pollMs = 1_000;
/** Matches a user mention as Discord and Slack encode it. */
const mention = /<@\w+>/g;

/** For the local profile: sends messages on the simulated platform as a user, and shows the bot's replies. */
export function SimulatedPlatform({ integration: { id, platform } }: { integration: IntegrationFieldsFragment }) {
  const [text, setText] = useState('');
  const path = `/dev/platforms/${id}/messages`;
  const written = useQuery({
    queryKey: ['SimulatedMessages', id],
    refetchInterval: pollMs,
    queryFn: async ({ signal }) => {
      const response = await fetchAuthorized(path, { signal });
      return (await response.json()) as { data: SimulatedMessage[] };
    },
  });
  const write = useSingleMutation({
    mutationFn: () =>
      fetchAuthorized(path, { method: 'POST', body: JSON.stringify({ author: texts.grace, text, mention: true }) }),
    onSuccess: () => {
      setText('');
      void written.refetch();
    },
  });
  return (
    <section className={styles.section} aria-labelledby="simulated">
      <h2 id="simulated">{texts.simulated(platforms[platform].name)}</h2>
      <div className={styles.panel}>
        <p className={styles.hint}>{texts.localProfileWritePerson}</p>
        <QueryStates query={written} lines={['60%', '80%']} />
        {write.error && <ErrorNote error={write.error} onRetry={() => write.mutate()} />}
        <ul className={styles.messages} role="log" aria-label={common.messages} tabIndex={0}>
          {written.data?.data.slice(-20).map((message) => (
            <li key={message.id}>
              <strong dir="auto">{message.from_bot ? texts.bot : message.author}</strong>
              <span dir="auto">{message.text.replace(mention, `@${texts.bot}`)}</span>
            </li>
          ))}
        </ul>
        <form
          className={styles.write}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') write.mutate();
          }}
        >
          <input
            aria-label={common.message}
            placeholder={texts.writeGrace}
            dir="auto"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Button type="submit" isBusy={write.isPending}>
            {texts.write}
          </Button>
        </form>
      </div>
    </section>
  );
}

import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { PersonFragment } from '../api/generated/operations.ts';
import { Button } from '../parts/controls/button.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';
import styles from './social.module.css';

interface PeopleProps extends ComponentProps<typeof ListStates> {
  title: string;
  empty: string;
  people: readonly PersonFragment[] | undefined;
  /** Label of the button that removes an account from the list. */
  action: string;
  onAction: (userId: string) => Promise<unknown>;
}

/** A list of accounts that the person blocked or muted, with a button that undoes it. */
export function People({ title, empty, people, action, onAction, list }: PeopleProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: onAction,
    onError: (error, userId) => notifyFailure(texts.notChanged, error, () => mutate(userId)),
  });
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {people?.length === 0 && <p className={styles.hint}>{empty}</p>}
      {people && people.length > 0 && (
        <ul className={styles.rows}>
          {people.map(({ id, username, displayName }) => (
            <li key={id} data-row tabIndex={-1}>
              <bdi>{displayName ?? username}</bdi>
              <Button
                size="small"
                aria-label={`${action}: ${displayName ?? username}`}
                isBusy={isPending}
                onClick={() => mutate(id)}
              >
                {action}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
    </section>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from './button.tsx';
import { notifyFailure } from '../layers/toast-store.ts';

interface ToggleButtonProps {
  isOn: boolean;
  /** Label while off and label while on. */
  labels: readonly [turnOn: string, turnOff: string];
  /** The subject, added to the accessible name. */
  about: string;
  /** Title of the toast on failure. */
  failure: string;
  onChange: (isOn: boolean) => Promise<unknown>;
}

/** Undoes or repeats an action on a list item, whose row stays. */
export function ToggleButton({ isOn: initial, labels, about, failure, onChange }: ToggleButtonProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOn = chosen ?? initial;
  const { mutate, isPending } = useMutation({
    mutationFn: onChange,
    onSuccess: (_result, next) => setChosen(next),
    onError: (error, next) => notifyFailure(failure, error, () => mutate(next)),
  });
  const label = labels[isOn ? 1 : 0];
  return (
    <Button size="small" aria-label={`${label}: ${about}`} isBusy={isPending} onClick={() => mutate(!isOn)}>
      {label}
    </Button>
  );
}

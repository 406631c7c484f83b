import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from './button.tsx';
import { notifyFailure } from './toast-store.ts';

interface ToggleButtonProps {
  isOn: boolean;
  /** What it does while it is off, and while it is on. */
  labels: readonly [turnOn: string, turnOff: string];
  /** What it is about, for people who hear it alone. */
  about: string;
  /** The title of a failure. */
  failure: string;
  onChange: (isOn: boolean) => Promise<unknown>;
}

/** Takes something in a list back, or does it again, while its row stays. */
export function ToggleButton({ isOn: initial, labels, about, failure, onChange }: ToggleButtonProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOn = chosen ?? initial;
  const { mutate, isPending } = useMutation({
    mutationFn: onChange,
    onSuccess: (_result, next) => setChosen(next),
    onError: (error) => notifyFailure(failure, error),
  });
  const label = labels[isOn ? 1 : 0];
  return (
    <Button size="small" aria-label={`${label}: ${about}`} isBusy={isPending} onClick={() => mutate(!isOn)}>
      {label}
    </Button>
  );
}

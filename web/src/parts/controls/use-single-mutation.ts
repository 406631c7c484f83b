import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Like `useMutation`, but ignores calls while one is running. `isPending` alone does not prevent a second run, because
 * it is updated only after the event that started the first one.
 */
export function useSingleMutation<Result, Variables = void, Context = unknown>(
  options: UseMutationOptions<Result, Error, Variables, Context>,
) {
  const isRunning = useRef(false);
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isRunning.current = false;
      return options.onSettled?.(...settled);
    },
  });
  const mutate: typeof mutation.mutate = (...call) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation.mutate(...call);
  };
  return { ...mutation, mutate };
}

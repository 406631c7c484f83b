import { useMutation } from '@tanstack/react-query';
import { asApiError } from '../api/api-error.ts';

/** Saves a form once at a time, and sorts what the service refuses by the form's fields. */
export function useSave(run: () => Promise<unknown>, onDone?: () => void) {
  const { mutate, isPending, error, isSuccess } = useMutation({ mutationFn: run, onSuccess: () => onDone?.() });
  const details = error ? asApiError(error).details : [];
  return {
    save: (): void => {
      if (!isPending) mutate();
    },
    isPending,
    isSuccess,
    /** What is of no field. */
    error: details.length === 0 ? error : null,
    /** `input.limits.perDay` belongs to the field `perDay`, `allowedOrigins[1]` to `allowedOrigins`. */
    errors: Object.fromEntries(
      details.map(({ field, message }) => [
        field
          .replace(/\[\d+\]$/, '')
          .split('.')
          .at(-1) ?? '',
        message,
      ]),
    ),
  };
}

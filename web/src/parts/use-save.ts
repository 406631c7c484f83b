import { useMutation } from '@tanstack/react-query';
import { asApiError, type FieldError } from '../api/api-error.ts';

/** Saves a form, one request at a time. Assigns errors to the form's fields and focuses the first invalid one. */
export function useSave(run: () => Promise<unknown>, onDone?: () => void) {
  const { mutate, isPending, error, isSuccess } = useMutation({ mutationFn: run, onSuccess: () => onDone?.() });
  const details = error ? asApiError(error).details : [];
  return {
    save: (form?: HTMLFormElement): void => {
      if (isPending) return;
      mutate(undefined, {
        onError: (failure) => {
          const refused = Object.keys(errorsByField(asApiError(failure).details));
          const fields = [...(form?.querySelectorAll<HTMLInputElement>('[name]') ?? [])];
          fields.find(({ name }) => refused.includes(name))?.focus();
        },
      });
    },
    isPending,
    isSuccess,
    /** An error that concerns no field. */
    error: details.length === 0 ? error : null,
    errors: errorsByField(details),
  };
}

/** `input.limits.perDay` belongs to the field `perDay`, `allowedOrigins[1]` to `allowedOrigins`. */
const errorsByField = (details: readonly FieldError[]): Record<string, string> =>
  Object.fromEntries(
    details.map(({ field, message }) => [
      field
        .replace(/\[\d+\]$/, '')
        .split('.')
        .at(-1) ?? '',
      message,
    ]),
  );

import { useDraft } from './use-draft.ts';

interface Changes<Values> {
  /** The values of the service with the changes. */
  values: Values;
  /** Only what differs from the values of the service, so that other fields follow it. */
  changes: Partial<Values>;
  isDirty: boolean;
  /** The draft, to see whether it changed during a request. */
  stored: string;
  change: (part: Partial<Values>) => void;
  discard: () => void;
}

/** Unsaved changes of a form, kept on this device. */
export function useChanges<Values extends object>(draft: string, initial: Values): Changes<Values> {
  const [stored, store] = useDraft(draft);
  const changesIn = (values: Partial<Values>): Partial<Values> => {
    const entries = Object.entries(values).filter(([name, value]) => value !== initial[name as keyof Values]);
    return Object.fromEntries(entries) as Partial<Values>;
  };
  const changes = changesIn(stored === '' ? {} : (JSON.parse(stored) as Partial<Values>));
  return {
    values: { ...initial, ...changes },
    changes,
    isDirty: Object.keys(changes).length > 0,
    stored,
    change(part) {
      const next = changesIn({ ...changes, ...part });
      store(Object.keys(next).length === 0 ? '' : JSON.stringify(next));
    },
    discard: () => store(''),
  };
}

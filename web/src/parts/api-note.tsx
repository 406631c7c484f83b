import { useState } from 'react';
import { type ApiCall, ApiCommand } from './api-command.tsx';
import { Button } from './button.tsx';
import { common } from './common-texts.ts';
import styles from './api-note.module.css';

/** The same with the API: a ready command and the section of the reference. Closed until it is asked for. */
export function ApiNote(call: ApiCall) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.note}>
      <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {common.sameApi}
      </Button>
      {isOpen && <ApiCommand {...call} />}
    </section>
  );
}

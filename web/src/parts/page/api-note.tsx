import { useState } from 'react';
import { type ApiCall, ApiCommand } from './api-command.tsx';
import { Button } from '../controls/button.tsx';
import { common } from '../common-texts.ts';
import styles from './api-note.module.css';

/** A collapsed section with an `ApiCommand`. */
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

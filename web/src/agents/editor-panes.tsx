import { type ReactNode, useState } from 'react';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';
import styles from './editor-panes.module.css';

const panes = [common.edit, texts.preview] as const;

interface EditorPanesProps {
  /** Above the form. */
  picture?: ReactNode;
  form: ReactNode;
  preview: ReactNode;
}

/** The form and the preview side by side; one at a time where there is no space for both. */
export function EditorPanes({ picture, form, preview }: EditorPanesProps) {
  const [shown, show] = useState<(typeof panes)[number]>(common.edit);
  return (
    <>
      <div className={styles.switch} role="group" aria-label={texts.view}>
        {panes.map((pane) => (
          <Button key={pane} aria-pressed={shown === pane} onClick={() => show(pane)}>
            {pane}
          </Button>
        ))}
      </div>
      <div className={styles.panes}>
        <div className={styles.form} data-shown={shown === common.edit || undefined}>
          {picture}
          {form}
        </div>
        <div className={styles.preview} data-shown={shown === texts.preview || undefined}>
          {preview}
        </div>
      </div>
    </>
  );
}

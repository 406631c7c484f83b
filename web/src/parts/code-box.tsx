import { Copy } from 'lucide-react';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';
import { texts } from './texts.ts';
import styles from './code-box.module.css';

interface CodeBoxProps {
  /** What it is, such as "Command". */
  label: string;
  text: string;
  /** One line that is cut instead of wrapped. */
  isSingle?: boolean;
}

/** Text for machines, with a button that copies exactly it. */
export const CodeBox = ({ label, text, isSingle = false }: CodeBoxProps) => (
  <div className={styles.box} data-single={isSingle || undefined}>
    <pre dir="ltr" tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
    <IconButton size="small" label={texts.copy(label.toLowerCase())} onClick={() => void copyText(text)}>
      <Copy size={16} />
    </IconButton>
  </div>
);

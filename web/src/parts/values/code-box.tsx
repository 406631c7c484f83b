import { Copy } from 'lucide-react';
import { copyText } from './copy-text.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { texts } from '../texts.ts';
import styles from './code-box.module.css';

interface CodeBoxProps {
  /** What the text is, such as "Command". */
  label: string;
  text: string;
  /** Truncates the text to one line instead of wrapping it. */
  isSingle?: boolean;
}

/** Code or data, with a button that copies it unchanged. */
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

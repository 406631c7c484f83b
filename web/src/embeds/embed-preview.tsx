import { ArrowUp, Ellipsis, MessageCircle, X } from 'lucide-react';
import { type CSSProperties, useLayoutEffect, useRef } from 'react';
import { textOn } from '../widget/color.ts';
import { directionOf, textsIn } from '../widget/texts.ts';
import { type EmbedValues, linesOf } from './embed-values.ts';
import { texts } from './texts.ts';
import styles from './embed-preview.module.css';

interface EmbedPreviewProps {
  values: EmbedValues;
  agentName: string;
}

/** A sample website with the chat as visitors would see it, with the values of the form. It is not interactive. */
export function EmbedPreview({ values, agentName }: EmbedPreviewProps) {
  const root = useRef<HTMLDivElement>(null);
  const { color, dark, position, starters, title, notice } = values;
  const language = values.language || navigator.language;
  const shown = textsIn(language);
  useLayoutEffect(() => {
    root.current?.style.setProperty('--brand', color);
    root.current?.style.setProperty('--on-brand', textOn(color));
  }, [color]);
  const scheme: CSSProperties = dark === 'AUTO' ? {} : { colorScheme: dark.toLowerCase() };
  return (
    <figure className={styles.figure}>
      <figcaption>{texts.preview}</figcaption>
      <div ref={root} className={styles.site} data-position={position} inert>
        <div className={styles.page} aria-hidden="true">
          <span />
          <span />
          <span />
          <span />
        </div>
        <div className={styles.chat} style={scheme} dir={directionOf(language)} lang={language}>
          <header>
            <strong dir="auto">{title.trim() || agentName}</strong>
            <small>{shown.ai}</small>
            <Ellipsis size={18} />
            <X size={18} />
          </header>
          <div className={styles.thread}>
            <p className={styles.notice} dir="auto">
              {notice.trim() || shown.notice}
            </p>
            <ul>
              {linesOf(starters).map((starter, index) => (
                <li key={index} dir="auto">
                  {starter}
                </li>
              ))}
            </ul>
          </div>
          <div className={styles.composer}>
            <span>{shown.placeholder}</span>
            <b>
              <ArrowUp size={16} />
            </b>
          </div>
        </div>
        <span className={styles.button}>
          <MessageCircle size={22} />
        </span>
      </div>
    </figure>
  );
}

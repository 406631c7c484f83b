import { PreviewCard } from '@base-ui/react/preview-card';
import { FileText } from 'lucide-react';
import { useContext } from 'react';
import { texts } from '../texts.ts';
import menuStyles from '../../parts/layers/menu.module.css';
import styles from './citations.module.css';
import { Passage } from './passage.tsx';
import { type Citation, OpenSource } from './sources.ts';

/** Numbered documents that a reply used. Hover and focus show the first passage; a click shows all beside the thread. */
export default function Citations({ citations }: { citations: readonly Citation[] }) {
  const open = useContext(OpenSource);
  const documents = Map.groupBy(citations, ({ documentId }) => documentId);
  return (
    <div className={styles.citations} role="group" aria-label={texts.sources}>
      {Array.from(documents.values(), (passages, index) => (
        <Source
          key={passages[0]?.documentId}
          number={index + 1}
          passages={passages}
          onOpen={() => open({ citations, index: citations.findIndex((citation) => citation === passages[0]) })}
        />
      ))}
    </div>
  );
}

interface SourceProps {
  number: number;
  passages: readonly Citation[];
  onOpen: () => void;
}

function Source({ number, passages, onOpen }: SourceProps) {
  const [first] = passages;
  if (!first) return null;
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger
        delay={200}
        render={
          <button type="button" className={styles.source} onClick={onOpen}>
            <span className={styles.number} aria-hidden="true">
              {number}
            </span>
            <span className="visually-hidden">{texts.source(number)}</span>
            <FileText size={14} />
            <bdi>{first.filename}</bdi>
          </button>
        }
      />
      <PreviewCard.Portal>
        <PreviewCard.Positioner className={menuStyles.positioner} sideOffset={6} align="start">
          <PreviewCard.Popup
            className={`${menuStyles.popup} ${styles.card}`}
            role="region"
            aria-label={`${texts.source(number)} ${first.filename}`}
          >
            <Passage citation={first} />
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}

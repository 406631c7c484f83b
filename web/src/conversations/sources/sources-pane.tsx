import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Dialog } from '../../parts/layers/dialog.tsx';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { useMediaQuery } from '../../parts/use-media-query.ts';
import { texts } from '../texts.ts';
import styles from './citations.module.css';
import { Passage } from './passage.tsx';
import { type Citation, numbersOf, type OpenedSource } from './sources.ts';
import { conversationQuery } from '../thread/thread-query.ts';

interface SourcesPaneProps {
  conversationId: string;
  opened: OpenedSource | null;
  onClose: () => void;
}

const description = texts.passagesReplyUsed;

/** The passages that a reply used, beside the thread; on narrow screens in a sheet over it. */
export default function SourcesPane({ conversationId, opened, onClose }: SourcesPaneProps) {
  const isWide = useMediaQuery('(min-width: 1100px)');
  // Keep the content during the closing animation of the sheet.
  const [last, setLast] = useState(opened);
  if (opened && opened !== last) setLast(opened);
  const current = useRef<HTMLLIElement>(null);
  const passages = last && <Passages conversationId={conversationId} opened={last} current={current} />;
  if (!isWide) {
    return (
      <Dialog
        isOpen={opened !== null}
        onClose={onClose}
        shape="sheet"
        title={texts.sources}
        description={description}
        initialFocus={current}
      >
        {passages}
      </Dialog>
    );
  }
  return (
    opened && (
      <Pane opened={opened} onClose={onClose}>
        {passages}
      </Pane>
    )
  );
}

interface PaneProps {
  opened: OpenedSource;
  onClose: () => void;
  children: ReactNode;
}

/** Not modal, so the thread stays usable. Focus moves to the passage, and back to the mark on close. */
function Pane({ opened, onClose, children }: PaneProps) {
  const pane = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (!pane.current?.contains(document.activeElement)) opener.current = document.activeElement;
    pane.current?.querySelectorAll<HTMLElement>('li')[opened.index]?.focus();
  }, [opened]);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = () => {
      onClose();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, [onClose]);
  useEffect(() => {
    const element = pane.current;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close.current();
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, []);
  return (
    <aside ref={pane} className={styles.pane} aria-labelledby="sources-title">
      <header>
        <h2 id="sources-title">{texts.sources}</h2>
        <IconButton size="small" label={texts.close} onClick={() => close.current()}>
          <X size={16} />
        </IconButton>
      </header>
      <p>{description}</p>
      {children}
    </aside>
  );
}

interface PassagesProps {
  conversationId: string;
  opened: OpenedSource;
  /** Set to the element of the opened passage. */
  current: RefObject<HTMLLIElement | null>;
}

function Passages({ conversationId, opened: { citations, index }, current }: PassagesProps) {
  const numbers = numbersOf(citations);
  return (
    <ol className={styles.passages}>
      {citations.map((citation, at) => (
        <li
          key={citation.chunkId}
          ref={at === index ? current : undefined}
          tabIndex={-1}
          aria-current={at === index ? 'true' : undefined}
        >
          <span className={styles.number} aria-hidden="true">
            {numbers[at]}
          </span>
          <Passage citation={citation}>
            <DocumentLink conversationId={conversationId} citation={citation} />
          </Passage>
        </li>
      ))}
    </ol>
  );
}

/** Only the owner of the agent can open its documents. */
function DocumentLink({ conversationId, citation }: { conversationId: string; citation: Citation }) {
  const { data } = useQuery(conversationQuery(conversationId));
  const agent = data?.conversation.agent;
  if (!agent?.isMine || citation.excerpt === null) return null;
  const { documentId: docId, chunkIndex: chunk } = citation;
  return (
    <Link to="/agents/$agentId/knowledge/$docId" params={{ agentId: agent.id, docId }} search={{ chunk }}>
      {texts.openDocument}
    </Link>
  );
}

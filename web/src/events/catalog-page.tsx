import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchAuthorized } from '../api/request.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { ApiNote } from '../parts/page/api-note.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { type Catalog, readCatalog } from './catalog.ts';
import { EventTabs } from './event-tabs.tsx';
import { texts } from './texts.ts';
import styles from './events.module.css';

/** Every event type with an example, from the document at /docs/events. */
export function CatalogPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['EventCatalog'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await fetchAuthorized('/docs/events', { headers: { accept: 'text/markdown' }, signal });
      return readCatalog(await response.text());
    },
  });
  return (
    <Page title={texts.eventCatalog} lead={texts.whenEachEventSent} tabs={<EventTabs />}>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['40%', '100%', '100%', '60%']} />}
      {data && <Entries {...data} />}
      <ApiNote tag="webhooks" path="/v1/events" />
    </Page>
  );
}

function Entries({ intro, entries }: Catalog) {
  // The section that the fragment names is rendered only now.
  useEffect(() => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView(), []);
  return (
    <>
      <Markdown text={intro} isComplete />
      <ul className={styles.list} aria-label={texts.eventTypes}>
        {entries.map(({ type, when }) => (
          <li key={type} className={styles.type}>
            <a className="target" href={`#${type}`}>
              <code dir="ltr">{type}</code>
            </a>
            <Markdown text={when} isComplete />
          </li>
        ))}
      </ul>
      {entries.map(({ type, text }) => (
        <section key={type} id={type} aria-labelledby={`${type}-title`} className={styles.entry}>
          <h2 id={`${type}-title`}>
            <code dir="ltr">{type}</code>
          </h2>
          <Markdown text={text} isComplete />
        </section>
      ))}
    </>
  );
}

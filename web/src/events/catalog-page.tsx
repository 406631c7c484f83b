import { useQuery } from '@tanstack/react-query';
import { fetchAuthorized } from '../api/request.ts';
import { Markdown } from '../chat/markdown.tsx';
import { ApiNote } from '../parts/api-note.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { EventTabs } from './event-tabs.tsx';
import { texts } from './texts.ts';

/** Every event type with an example: the same document as at /docs/events. */
export function CatalogPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['EventCatalog'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await fetchAuthorized('/docs/events', { headers: { accept: 'text/markdown' }, signal });
      return withoutTitle(await response.text());
    },
  });
  return (
    <Page title={texts.eventCatalog} lead={texts.whenEachEventSent} tabs={<EventTabs />}>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['40%', '100%', '100%', '60%']} />}
      {data && <Markdown text={data} isComplete />}
      <ApiNote tag="webhooks" path="/v1/events" />
    </Page>
  );
}

/** The page has a title already, and how the document is made concerns developers of the service. */
const withoutTitle = (markdown: string): string =>
  markdown.replace(/^# .*\n/, '').replace(/^\s*Generated from .*\n/, '');

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import type { RecentEventsQuery, WebhookEventType } from '../api/generated/operations.ts';
import { useLiveSince } from '../api/live-since.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Json } from '../parts/values/json.tsx';
import { Page } from '../parts/page/page.tsx';
import { serviceNow } from '../api/service-time.ts';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { Status } from '../parts/figures/status.tsx';
import { exactTime } from '../parts/values/time-ago.tsx';
import { EventSubject } from './event-subject.tsx';
import { EventTabs } from './event-tabs.tsx';
import { eventName, eventTypes } from '../api/event-texts.ts';
import { texts } from './texts.ts';
import { useEvents } from './use-events.ts';
import styles from './events.module.css';

type AccountEvent = RecentEventsQuery['recentEvents']['data'][number];

/** The account's events: new ones as they happen, above the stored ones. */
export function EventsPage() {
  const { type } = useSearch({ from: '/frame/events' });
  const navigate = useNavigate({ from: '/events' });
  const [isPaused, setPaused] = useState(false);
  const { list, events } = useEvents(type, isPaused);
  const pause = (): void => {
    setPaused(!isPaused);
    // Those of the pause.
    if (isPaused) void list.refetch();
  };
  return (
    <Page title={common.events} lead={texts.everythingWebhooksReceive} tabs={<EventTabs />}>
      <div className={styles.bar}>
        <LiveStatus isPaused={isPaused} />
        <Button size="small" onClick={pause}>
          {isPaused ? <Play size={14} /> : <Pause size={14} />}
          {isPaused ? common.resume : texts.pause}
        </Button>
        <select
          aria-label={texts.event}
          value={type ?? ''}
          onChange={({ target }) =>
            void navigate({ search: { type: (target.value || undefined) as WebhookEventType | undefined } })
          }
        >
          <option value="">{texts.everyEvent}</option>
          {eventTypes.map((value) => (
            <option key={value} value={value}>
              {eventName(value)}
            </option>
          ))}
        </select>
      </div>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!events && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={40} />}
      {events?.length === 0 && (
        <p className={styles.none}>
          {list.hasNextPage ? texts.noEventTypeAmong : texts.nothingHappenedYet}{' '}
          <Link to="/events/catalog">{texts.seeWhatThereIs}</Link>
        </p>
      )}
      {events && events.length > 0 && (
        <ul className={styles.list}>
          {events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div>
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {texts.earlier}
          </Button>
        </div>
      )}
      <ApiNote tag="webhooks" path="/v1/events" />
    </Page>
  );
}

function LiveStatus({ isPaused }: { isPaused: boolean }) {
  const since = useLiveSince();
  if (isPaused) return <Status tone="muted">{texts.paused}</Status>;
  if (!since) return <Status tone="warn">{texts.connecting}</Status>;
  return <Status tone="good">{texts.liveSince(new Date(since).toLocaleTimeString())}</Status>;
}

const timeOf = (date: string): string => {
  const [time, today] = [new Date(date), new Date(serviceNow())];
  return time.toDateString() === today.toDateString() ? time.toLocaleTimeString() : time.toLocaleString();
};

function EventRow({ event }: { event: AccountEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className={styles.row}>
        <button type="button" data-row aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <code dir="ltr">{eventName(event.type)}</code>
        </button>
        <EventSubject event={event} />
        <time dateTime={event.createdAt} title={exactTime(event.createdAt)}>
          {timeOf(event.createdAt)}
        </time>
      </div>
      {isOpen && (
        <div className={styles.body}>
          <Json label={texts.event} value={{ id: event.id, created_at: event.createdAt, data: event.data }} />
        </div>
      )}
    </>
  );
}

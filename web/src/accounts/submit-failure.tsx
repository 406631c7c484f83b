import { useEffect, useState } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { texts } from './texts.ts';

/** The error of a whole form. For a rate limit it counts down to the next attempt. */
export function SubmitFailure({ failure }: { failure: ApiError | null }) {
  if (!failure) return null;
  return (
    <ErrorNote error={failure}>
      {failure.code === 'RATE_LIMITED' && failure.retryAfterSeconds !== undefined && (
        <Countdown key={failure.requestId} seconds={failure.retryAfterSeconds} />
      )}
    </ErrorNote>
  );
}

function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(now - 1, 0)), 1000);
    return () => clearInterval(timer);
  }, []);
  return <p>{left > 0 ? texts.tryAgain(minutesAndSeconds(left)) : texts.tryAgainNow}</p>;
}

const minutesAndSeconds = (seconds: number): string =>
  seconds < 60 ? texts.seconds(seconds) : texts.minutes(Math.floor(seconds / 60), seconds % 60);

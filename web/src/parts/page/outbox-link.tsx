import { useQuery } from '@tanstack/react-query';
import { ServiceDocument } from '../../api/generated/operations.ts';
import { Queries } from '../../api/queries.tsx';
import { query } from '../../api/query.ts';
import { fillIn } from '../values/fill-in.tsx';
import { texts } from '../texts.ts';

/** Link to the simulated mailbox of a service without a mail server. */
export const OutboxLink = () => (
  <Queries>
    <Outbox />
  </Queries>
);

function Outbox() {
  const { data } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const url = data?.service.mailOutboxUrl;
  if (!url) return null;
  return <p>{fillIn(texts.localProfileMails, { link: <a href={url}>{texts.outbox}</a> })}</p>;
}

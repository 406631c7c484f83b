import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { AgentTabs } from '../agents/agent-tabs.tsx';
import { AgentListingDocument, ListingDocument, UpdateListingDocument } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { PictureEditor } from '../images/picture-editor.tsx';
import { bannerOwner } from '../images/picture-owner.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { ListingForm } from './listing-form.tsx';
import { ListingState } from './listing-state.tsx';
import type { OwnListing } from './listing-values.ts';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

/** The marketplace listing of one of the person's agents: its content and state. */
export function ListingEditorPage() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId/listing' });
  const { agentListing: listing } = useSuspenseQuery(query(AgentListingDocument, { agentId })).data;
  return (
    <Page title={texts.listingOf(listing.name)} tabs={<AgentTabs agentId={agentId} />}>
      <ListingState listing={listing} />
      <ListingBanner listing={listing} />
      <ListingForm key={agentId} listing={listing} />
      <ApiNote
        tag="marketplace"
        method="PUT"
        path={`/v1/agents/${agentId}/listing`}
        body={{ about: listing.about ?? texts.aboutExample }}
      />
    </Page>
  );
}

/** A change applies immediately, not when the form is saved. */
function ListingBanner({ listing: { agentId, name, bannerUrl } }: { listing: OwnListing }) {
  const cache = useQueryClient();
  const refresh = (): void => {
    for (const document of [AgentListingDocument, ListingDocument])
      void cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const { mutate: remove, error } = useMutation({
    mutationFn: () => request(UpdateListingDocument, { agentId, input: { bannerUrl: null } }),
    onSuccess: refresh,
  });
  return (
    <section className={styles.section} aria-label={texts.banner}>
      <h2>{texts.banner}</h2>
      <PictureEditor
        owner={bannerOwner(agentId, name, bannerUrl ?? null)}
        onChange={refresh}
        onRemove={() => remove()}
      />
      {error && <ErrorNote error={error} />}
    </section>
  );
}

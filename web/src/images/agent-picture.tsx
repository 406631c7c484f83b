import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  AgentDocument,
  type AgentFieldsFragment,
  AgentsDocument,
  ChatAgentDocument,
  MyChatAgentsDocument,
  RemoveAgentPictureDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { PictureEditor } from './picture-editor.tsx';
import { texts } from './texts.ts';

/** The picture of an agent in its editor. A change applies immediately, not when the form is saved. */
export function AgentPicture({ agent: { id, name, picture } }: { agent: AgentFieldsFragment }) {
  const cache = useQueryClient();
  const refresh = (): void => {
    for (const document of [AgentDocument, AgentsDocument, ChatAgentDocument, MyChatAgentsDocument])
      void cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const { mutate: remove, error } = useMutation({
    mutationFn: () => request(RemoveAgentPictureDocument, { id }),
    onSuccess: () => {
      refresh();
      notify(texts.pictureRemoved);
    },
  });
  return (
    <>
      <PictureEditor
        owner={{ kind: 'AVATAR', agentId: id, name, picture }}
        onChange={refresh}
        onRemove={() => remove()}
      />
      {error && <ErrorNote error={error} />}
    </>
  );
}

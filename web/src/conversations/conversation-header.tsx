import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CodeXml, Download, Ellipsis, Link2, Pencil, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  type ConversationQuery,
  ConversationsDocument,
  RenameConversationDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiDialog } from '../parts/page/api-dialog.tsx';
import { common } from '../parts/common-texts.ts';
import { isComposing } from '../parts/controls/is-composing.ts';
import { copyText } from '../parts/values/copy-text.ts';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { later } from '../parts/layers/later.ts';
import { Menu, MenuItem, MenuSeparator } from '../parts/layers/menu.tsx';
import { OnceOpen } from '../parts/layers/once-open.tsx';
import { usePageActions } from '../parts/page/page-actions.ts';
import { PageTitle } from '../parts/page/page-title.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { ArrangeItems } from './arrange-items.tsx';
import { downloadConversation } from './download-conversation.ts';
import { texts } from './texts.ts';
import { conversationQuery } from './thread/thread-query.ts';
import styles from './conversation-page.module.css';

const DeleteDialog = later(() => import('./delete-dialog.tsx'));
const ShareDialog = later(async () => ({ default: (await import('../social/share-dialog.tsx')).ShareDialog }));

type Conversation = ConversationQuery['conversation'];

export function ConversationHeader({ conversation }: { conversation: Conversation }) {
  const [isRenaming, setRenaming] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const [isApiOpen, setApiOpen] = useState(false);
  const { id, agent } = conversation;
  const title = conversation.title ?? texts.newConversation;
  usePageActions([
    { label: texts.renameConversation, run: () => setRenaming(true) },
    { label: texts.copyLinkConversation, run: () => void copyText(location.href, texts.linkCopied) },
    { label: texts.shareConversation, run: () => setSharing(true) },
    { label: texts.exportMarkdown, run: () => void downloadConversation(id, title, 'MARKDOWN') },
    { label: texts.exportJson, run: () => void downloadConversation(id, title, 'JSON') },
    { label: common.sameApi, run: () => setApiOpen(true) },
    { label: texts.deleteConversation, run: () => setDeleting(true) },
  ]);
  return (
    <header className={styles.header}>
      <div className={styles.names}>
        {isRenaming ? (
          <Rename conversation={conversation} onDone={() => setRenaming(false)} />
        ) : (
          <PageTitle title={title} className={styles.title} />
        )}
        {agent && (
          <p className={styles.agent} dir="auto">
            {agent.name}
          </p>
        )}
      </div>
      <Menu
        trigger={
          <IconButton label={texts.conversationMenu}>
            <Ellipsis size={20} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onClick={() => setRenaming(true)}>
          {texts.rename}
        </MenuItem>
        <ArrangeItems conversation={conversation} />
        <MenuItem icon={<Link2 size={16} />} onClick={() => void copyText(location.href, texts.linkCopied)}>
          {texts.copyLink}
        </MenuItem>
        <MenuItem icon={<Share2 size={16} />} onClick={() => setSharing(true)}>
          {texts.share}
        </MenuItem>
        <MenuItem icon={<Download size={16} />} onClick={() => void downloadConversation(id, title, 'MARKDOWN')}>
          {texts.exportMarkdown}
        </MenuItem>
        <MenuItem icon={<Download size={16} />} onClick={() => void downloadConversation(id, title, 'JSON')}>
          {texts.exportJson}
        </MenuItem>
        <MenuItem icon={<CodeXml size={16} />} onClick={() => setApiOpen(true)}>
          {common.sameApi}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={16} />} isDangerous onClick={() => setDeleting(true)}>
          {common.delete}
        </MenuItem>
      </Menu>
      <ApiDialog
        isOpen={isApiOpen}
        onClose={() => setApiOpen(false)}
        call={{
          tag: 'conversations',
          method: 'POST',
          path: `/v1/conversations/${id}/messages`,
          body: { content: texts.exampleQuestion },
        }}
      />
      <OnceOpen isOpen={isSharing} onClose={() => setSharing(false)}>
        <ShareDialog
          isOpen={isSharing}
          target={{ type: 'CONVERSATION', conversationId: id }}
          onClose={() => setSharing(false)}
        />
      </OnceOpen>
      <OnceOpen isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <DeleteDialog id={id} title={title} isOpen={isDeleting} onClose={() => setDeleting(false)} />
      </OnceOpen>
    </header>
  );
}

function Rename({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const cache = useQueryClient();
  const { queryKey } = conversationQuery(conversation.id);
  const set = (title: string | null): void =>
    void cache.setQueryData(queryKey, (known) => known && { conversation: { ...known.conversation, title } });
  const { mutate } = useMutation({
    mutationFn: (title: string) => request(RenameConversationDocument, { id: conversation.id, title }),
    onMutate: async (title) => {
      // A response on its way has the old title.
      await cache.cancelQueries({ queryKey });
      set(title);
    },
    onError: (error) => {
      set(conversation.title ?? null);
      notifyFailure(texts.conversationKeepsName, error);
    },
    onSettled: () => {
      for (const key of [queryKey, keyOf(ConversationsDocument)]) void cache.invalidateQueries({ queryKey: key });
    },
  });
  const save = (title: string): void => {
    if (title !== '' && title !== conversation.title) mutate(title);
    onDone();
  };
  return (
    <>
      <PageTitle title={conversation.title ?? texts.newConversation} isHidden />
      <input
        className={styles.rename}
        aria-label={texts.title}
        dir="auto"
        maxLength={200}
        defaultValue={conversation.title ?? ''}
        autoFocus
        onFocus={({ target }) => target.select()}
        onBlur={({ target }) => save(target.value.trim())}
        onKeyDown={({ key, currentTarget, nativeEvent }) => {
          if (isComposing(nativeEvent)) return;
          if (key === 'Escape') onDone();
          if (key === 'Enter') currentTarget.blur();
        }}
      />
    </>
  );
}

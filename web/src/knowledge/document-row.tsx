import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, FileUp, RotateCw, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  DeleteDocumentDocument,
  type DocumentFieldsFragment,
  RetryDocumentDocument,
  UsageDocument,
} from '../api/generated/operations.ts';
import { Link } from '@tanstack/react-router';
import { keyOf } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { fetchAuthorized, request } from '../api/request.ts';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { moveFocusOnRemoval } from '../parts/controls/focus-after-removal.ts';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../parts/layers/menu.tsx';
import { saveFile } from '../parts/values/save-file.ts';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { documentsQuery, noteDeleted } from './documents-query.ts';
import { fileSize } from '../parts/values/file-size.ts';
import { texts } from './texts.ts';
import { acceptedFiles } from './upload.ts';
import styles from './knowledge.module.css';

interface DocumentRowProps {
  agentId: string;
  document: DocumentFieldsFragment;
  onReplace: (file: File) => void;
}

/** What to do about a document that could not be processed, by error code. The message of the others says it. */
const advice: Readonly<Record<string, string>> = {
  encrypted: texts.pdfPasswordSaveWithout,
  too_complex: texts.fileTakesTooLong,
};

export function DocumentRow({ agentId, document, onReplace }: DocumentRowProps) {
  const cache = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { id: docId, filename, error, status, replaces, reading } = document;
  const isReady = status === 'READY';
  const refresh = async (): Promise<void> => {
    await cache.invalidateQueries({ queryKey: documentsQuery(agentId).queryKey });
    void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
  };
  const remove = async (): Promise<void> => {
    await requestRemoval(DeleteDocumentDocument, { agentId, docId });
    noteDeleted(docId);
    await refresh();
  };
  const cancel = useMutation({
    mutationFn: remove,
    onError: (failure) => notifyFailure(texts.documentNotCancelled, failure),
  });
  const retry = useMutation({
    mutationFn: () => request(RetryDocumentDocument, { agentId, docId }),
    onSuccess: refresh,
    onError: (failure) => notifyFailure(texts.documentNotReadAgain, failure),
  });
  const download = async (): Promise<void> => {
    try {
      const response = await fetchAuthorized(`/v1/knowledge/${agentId}/documents/${docId}/content`, {});
      saveFile(await response.blob(), filename);
    } catch (failure) {
      notifyFailure(texts.documentNotDownloaded, failure);
    }
  };
  return (
    <li ref={moveFocusOnRemoval} data-row={isReady ? undefined : true} tabIndex={-1} className={styles.row}>
      <div className={styles.names}>
        <p className={styles.name}>
          {isReady ? (
            <Link to="/agents/$agentId/knowledge/$docId" params={{ agentId, docId }} data-row>
              <bdi>{filename}</bdi>
            </Link>
          ) : (
            <bdi>{filename}</bdi>
          )}
        </p>
        {error && <p className={styles.error}>{advice[error.code] ?? error.message}</p>}
        {reading && reading.notes.length > 0 && <p className={styles.meta}>{texts.notEverythingRead}</p>}
        {replaces && <p className={styles.meta}>{texts.previousVersionKept}</p>}
      </div>
      <span className={styles.meta}>{fileSize(document.sizeBytes)}</span>
      <span className={styles.status} data-status={status}>
        {stateOf(document)}
      </span>
      <Menu
        trigger={
          <IconButton size="small" label={texts.actionsOf(filename)}>
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        {status === 'FAILED' && (
          <MenuItem icon={<RotateCw size={16} />} onClick={() => retry.mutate()}>
            {common.tryAgain}
          </MenuItem>
        )}
        <MenuItem icon={<Download size={16} />} onClick={() => void download()}>
          {texts.download}
        </MenuItem>
        {!(status === 'PROCESSING' && replaces) && (
          <MenuItem icon={<FileUp size={16} />} onClick={() => input.current?.click()}>
            {texts.replace}
          </MenuItem>
        )}
        {status === 'PROCESSING' && (
          <MenuItem icon={<X size={16} />} onClick={() => cancel.mutate()}>
            {common.cancel}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={16} />} isDangerous onClick={() => setDeleting(true)}>
          {common.delete}
        </MenuItem>
      </Menu>
      <input
        ref={input}
        type="file"
        hidden
        accept={acceptedFiles}
        aria-label={texts.newVersion(filename)}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onReplace(file);
          target.value = '';
        }}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        title={texts.deleteDocument}
        description={<>{fillIn(texts.deletedGoodRepliesNo, { filename: <bdi>{filename}</bdi> })}</>}
        action={common.delete}
        onConfirm={remove}
        onClose={() => setDeleting(false)}
      />
    </li>
  );
}

function stateOf({ status, chunkCount, processing }: DocumentFieldsFragment): string {
  if (status === 'FAILED') return common.failed;
  if (status === 'READY') return texts.ready(chunkCount ?? 0);
  const { chunksDone, chunksTotal } = processing;
  return chunksTotal ? texts.processingOf(chunksDone, chunksTotal) : texts.processing;
}

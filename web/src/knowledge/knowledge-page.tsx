import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FileText, Upload as UploadIcon } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { KnowledgeAgentDocument, ServiceDocument, UsageDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { AgentTabs } from '../agents/agent-tabs.tsx';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { LeaveGuard } from '../parts/controls/leave-guard.tsx';
import { Page } from '../parts/page/page.tsx';
import { PlanLimit } from '../parts/lists/plan-limit.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { documentsQuery } from './documents-query.ts';
import { DocumentRow } from './document-row.tsx';
import { Playground } from './playground.tsx';
import { texts } from './texts.ts';
import { acceptedFiles, encodings } from './upload.ts';
import { UploadRow } from './upload-row.tsx';
import { useDocumentUpdates } from './use-document-updates.ts';
import { useUploads } from './use-uploads.ts';
import styles from './knowledge.module.css';

const usualMaximumBytes = 10 * 1_048_576;

export function KnowledgePage() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId/knowledge' });
  // The key remounts the page for another agent, so that no upload is carried over.
  return <Knowledge key={agentId} agentId={agentId} />;
}

function Knowledge({ agentId }: { agentId: string }) {
  const { agent } = useSuspenseQuery(query(KnowledgeAgentDocument, { id: agentId })).data;
  const { data: service } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const list = useInfiniteQuery(documentsQuery(agentId));
  const { error, refetch } = list;
  const { uploads, add, retry, remove } = useUploads(
    agentId,
    service?.service.limits.documentBytes ?? usualMaximumBytes,
  );
  const [encoding, setEncoding] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const documents = list.data?.pages.flatMap((page) => page.documents.data);
  useDocumentUpdates(agentId, documents?.some(({ status }) => status === 'PROCESSING') ?? false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    add([...event.dataTransfer.files], encoding);
  };
  return (
    <div className={styles.drop} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <Page
        title={texts.knowledgeOf(agent.name)}
        lead={<DocumentLimit />}
        tabs={<AgentTabs agentId={agentId} />}
        action={
          <Button variant="primary" onClick={() => input.current?.click()}>
            <UploadIcon size={16} />
            {texts.upload}
          </Button>
        }
      >
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={acceptedFiles}
          aria-label={texts.files}
          onChange={({ target }) => {
            add([...(target.files ?? [])], encoding);
            target.value = '';
          }}
        />
        <LeaveGuard
          isDirty={uploads.some((upload) => !upload.error)}
          isLossy
          title={texts.leaveDuringUpload}
          description={texts.uploadsWillBeCancelled}
        />
        {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {!documents && !error && <Skeleton lines={['100%', '100%']} height={52} />}
        {documents?.length === 0 && uploads.length === 0 && (
          <EmptyState icon={<FileText size={20} />} title={texts.noDocumentsYet}>
            {fillIn(texts.dropTxtMdPdf, { link: <a href="/docs/guide/knowledge">{texts.readGuide}</a> })}
          </EmptyState>
        )}
        {(uploads.length > 0 || (documents?.length ?? 0) > 0) && (
          <ul className={styles.list} aria-label={texts.documents}>
            {uploads.map((upload) => (
              <UploadRow
                key={upload.key}
                upload={upload}
                onRetry={() => retry(upload)}
                onRemove={() => remove(upload.key)}
              />
            ))}
            {documents?.map((document) => (
              <DocumentRow
                key={document.id}
                agentId={agentId}
                document={document}
                onReplace={(file) => add([file], encoding, document.id)}
              />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {common.more}
          </Button>
        )}
        <SelectField
          name="encoding"
          label={texts.textEncoding}
          hint={texts.encodingHint}
          value={encoding ?? ''}
          options={[['', texts.detectEncoding], ...encodings.map((name) => [name, name] as const)]}
          onChange={(value) => setEncoding(value || null)}
        />
        {documents?.some(({ status }) => status === 'READY') && <Playground agentId={agentId} />}
        <ApiNote tag="knowledge" path={`/v1/knowledge/${agentId}/documents`} />
      </Page>
    </div>
  );
}

function DocumentLimit() {
  const { data } = useQuery(query(UsageDocument, {}));
  if (!data) return null;
  const { knowledgeDocs, knowledgeLimit } = data.usage.usage;
  return <PlanLimit things={texts.documentsOfPlan} count={knowledgeDocs} limit={knowledgeLimit} />;
}

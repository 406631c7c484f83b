import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, KeyRound, Pencil, Power, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  DeleteWebhookDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
  WebhookDocument,
  type WebhookFieldsFragment,
  WebhooksDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../parts/layers/menu.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { usePageActions } from '../parts/page/page-actions.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { TestEventButton } from './test-event.tsx';
import { texts } from './texts.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

type Layer = 'edit' | 'rotate' | 'recover' | 'delete' | null;

/** The actions on a webhook. */
export function WebhookActions({ webhook }: { webhook: WebhookFieldsFragment }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [layer, setLayer] = useState<Layer>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { id, active } = webhook;
  const close = (): void => setLayer(null);
  usePageActions([
    { label: texts.editWebhook, run: () => setLayer('edit') },
    { label: texts.recoverDeliveries, run: () => setLayer('recover') },
    { label: texts.rotateSecret, run: () => setLayer('rotate') },
    { label: texts.deleteThisWebhook, run: () => setLayer('delete') },
  ]);
  const refresh = async (): Promise<void> => {
    await cache.invalidateQueries({ queryKey: keyOf(WebhookDocument, { id }) });
    void cache.invalidateQueries({ queryKey: keyOf(WebhooksDocument) });
  };
  const turn = useMutation({
    mutationFn: (isActive: boolean) => request(UpdateWebhookDocument, { id, input: { active: isActive } }),
    onSuccess: refresh,
    onError: (error, isActive) => notifyFailure(texts.webhookNotChanged, error, () => turn.mutate(isActive)),
  });
  return (
    <>
      <TestEventButton webhook={webhook} />
      <Menu
        trigger={
          <IconButton variant="secondary" label={texts.actionsWebhook}>
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onClick={() => setLayer('edit')}>
          {common.edit}
        </MenuItem>
        <MenuItem icon={<Power size={16} />} onClick={() => turn.mutate(!active)}>
          {active ? texts.disable : texts.enable}
        </MenuItem>
        <MenuItem icon={<RotateCw size={16} />} onClick={() => setLayer('recover')}>
          {texts.recoverDeliveries}
        </MenuItem>
        <MenuItem icon={<KeyRound size={16} />} onClick={() => setLayer('rotate')}>
          {texts.rotateSecret}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={16} />} isDangerous onClick={() => setLayer('delete')}>
          {common.delete}
        </MenuItem>
      </Menu>
      <WebhookDialog
        isOpen={layer === 'edit'}
        webhook={webhook}
        onClose={close}
        onSave={async ({ url, events, description }) => {
          await request(UpdateWebhookDocument, { id, input: { url, events, description: description || null } });
          await refresh();
        }}
      />
      <RecoverDialog webhookId={id} isOpen={layer === 'recover'} onClose={close} />
      <ConfirmDialog
        isOpen={layer === 'rotate'}
        title={texts.askRotateSecret}
        description={texts.deliveriesSignedNewSecret}
        action={texts.rotate}
        variant="primary"
        onClose={close}
        onConfirm={async () => {
          const { rotateWebhookSecret } = await request(RotateWebhookSecretDocument, { id });
          setSecret(rotateWebhookSecret.secret ?? '');
        }}
      />
      <ConfirmDialog
        isOpen={layer === 'delete'}
        title={texts.deleteWebhook}
        description={texts.deliveriesDeletedGoodNothing}
        action={common.delete}
        onClose={close}
        onConfirm={async () => {
          await requestRemoval(DeleteWebhookDocument, { id });
          await navigate({ to: '/webhooks' });
          cache.removeQueries({ queryKey: keyOf(WebhookDocument, { id }) });
          await cache.invalidateQueries({ queryKey: keyOf(WebhooksDocument) });
        }}
      />
      {secret !== null && <WebhookSecret secret={secret} onStored={() => setSecret(null)} />}
    </>
  );
}

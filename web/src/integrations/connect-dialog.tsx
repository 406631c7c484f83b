import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { common } from '../parts/common-texts.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import {
  ConnectMessengerDocument,
  ConnectServerDocument,
  ConnectWorkspaceDocument,
  IntegrationsDocument,
  type Platform,
} from '../api/generated/operations.ts';
import { ownAgentsQuery } from '../api/own-agents.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { CodeBox } from '../parts/values/code-box.tsx';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { ChannelChoice, type ChosenChannels } from './channel-choice.tsx';
import { channelIdsIn } from './channel-ids.ts';
import { platforms } from './platforms.ts';
import { texts } from './texts.ts';
import { useAgentNames } from './use-agent-names.ts';
import styles from './integrations.module.css';

interface ConnectDialogProps {
  platform: Platform | undefined;
  onClose: () => void;
}

/** Instructions for the platform, then the form. */
export function ConnectDialog({ platform, onClose }: ConnectDialogProps) {
  return (
    <Dialog
      isOpen={platform !== undefined}
      title={platform ? texts.connectPlatformNamed(platforms[platform].name) : ''}
      shape="wide"
      onClose={onClose}
    >
      {platform && <ConnectForm key={platform} platform={platform} onClose={onClose} />}
    </Dialog>
  );
}

function ConnectForm({ platform, onClose }: { platform: Platform; onClose: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const agents = useAgentNames();
  const [chosenAgent, setAgent] = useState('');
  const [botToken, setToken] = useState('');
  const [channels, setChannels] = useState<ChosenChannels>(noChannels);
  const agentId = chosenAgent || ([...(agents?.keys() ?? [])][0] ?? '');
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    // The form can be submitted before its agents are loaded.
    const { agents: loaded } = await cache.query({ ...ownAgentsQuery(), staleTime: 'static' });
    const chosen = chosenAgent || (loaded.data[0]?.id ?? '');
    const id = await connect(platform, { agentId: chosen, botToken }, channels);
    await cache.invalidateQueries({ queryKey: keyOf(IntegrationsDocument) });
    await navigate({ to: '/integrations/$integrationId', params: { integrationId: id } });
  });
  const { steps, place } = platforms[platform];
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>
            {step.replace('{events}', '')}
            {step.includes('{events}') && (
              <CodeBox label={texts.address} text={`${location.origin}/platforms/chat_workspace/events`} isSingle />
            )}
          </li>
        ))}
      </ol>
      <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
        <SelectField
          name="agentId"
          label={common.agent}
          value={agentId}
          isBusy={!agents}
          options={agents && agents.size > 0 ? [...agents] : [['', agents ? texts.noneYetCreateAgent : texts.loading]]}
          onChange={setAgent}
        />
        <FormField
          name="botToken"
          label={texts.botToken}
          type="password"
          dir="ltr"
          autoComplete="off"
          hint={texts.storedEncryptedNeverShown}
          value={botToken}
          onValueChange={(token) => {
            setToken(token);
            if (channels.areListed) setChannels(noChannels);
          }}
        />
        {place && <ChannelChoice platform={platform} botToken={botToken} chosen={channels} onChange={setChannels} />}
        {failure && <ErrorNote error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {texts.connect}
          </Button>
        </DialogActions>
      </Form>
    </>
  );
}

const noChannels: ChosenChannels = { placeId: '', channelIds: '', areListed: false };

interface ConnectedBot {
  agentId: string;
  botToken: string;
}

async function connect(platform: Platform, bot: ConnectedBot, { placeId, ...chosen }: ChosenChannels): Promise<string> {
  const channelIds = channelIdsIn(chosen.channelIds);
  if (platform === 'CHAT_MESSENGER') {
    return (await request(ConnectMessengerDocument, { input: bot })).connectMessenger.id;
  }
  if (platform === 'CHAT_SERVER') {
    const input = { ...bot, guildId: placeId, channelIds };
    return (await request(ConnectServerDocument, { input })).connectServer.id;
  }
  const input = { ...bot, workspaceId: placeId, channelIds };
  return (await request(ConnectWorkspaceDocument, { input })).connectWorkspace.id;
}

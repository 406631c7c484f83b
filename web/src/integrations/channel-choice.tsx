import { useMutation } from '@tanstack/react-query';
import { DiscoverChannelsDocument, type Platform } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { useFieldError } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { channelIdsIn } from './channel-ids.ts';
import { platforms } from './platforms.ts';
import { texts } from './texts.ts';
import styles from './integrations.module.css';

export interface ChosenChannels {
  placeId: string;
  /** As typed; see `channelIdsIn`. */
  channelIds: string;
  /** Whether they are from the list of the bot with this token. */
  areListed: boolean;
}

interface ChannelChoiceProps {
  platform: Platform;
  botToken: string;
  chosen: ChosenChannels;
  onChange: (chosen: ChosenChannels) => void;
}

/** Chooses channels from the platform's list, or by their ids. */
export function ChannelChoice({ platform, botToken, chosen, onChange }: ChannelChoiceProps) {
  const { error, dismiss } = useFieldError('channelIds');
  const { place, placeHint } = platforms[platform];
  const field = platform === 'CHAT_SERVER' ? 'guildId' : 'workspaceId';
  const discover = useMutation({
    mutationFn: (token: string) => request(DiscoverChannelsDocument, { input: { platform, botToken: token } }),
    onSuccess: ({ discoverChannels: { places } }, token) => {
      if (places[0] && token === botToken) onChange({ placeId: places[0].id, channelIds: '', areListed: true });
    },
  });
  const isOfThisBot = discover.variables === botToken;
  const found = isOfThisBot ? discover.data?.discoverChannels : undefined;
  const channels = found?.places.find(({ id }) => id === chosen.placeId)?.channels;
  const chosenIds = channelIdsIn(chosen.channelIds);
  const toggle = (id: string, isOn: boolean): void => {
    dismiss();
    const others = chosenIds.filter((one) => one !== id);
    onChange({ ...chosen, channelIds: (isOn ? [...others, id] : others).join(' ') });
  };
  return (
    <>
      <div className={styles.discover}>
        <Button isBusy={discover.isPending} disabled={botToken === ''} onClick={() => discover.mutate(botToken)}>
          {texts.listChannels}
        </Button>
        <span className={styles.hint} role="status">
          {found && texts.theBotIs(found.botName)}
          {found && !found.isComplete && texts.moreThanListedHere}
          {found?.places.length === 0 && texts.inviteBotThenList}
        </span>
      </div>
      {isOfThisBot && discover.error && <ErrorNote error={discover.error} />}
      {found && found.places.length > 0 ? (
        <>
          <SelectField
            name={field}
            label={place ?? ''}
            value={chosen.placeId}
            options={found.places.map(({ id, name }) => [id, name])}
            onChange={(placeId) => onChange({ ...chosen, placeId, channelIds: '' })}
          />
          <fieldset className={styles.channels} aria-describedby={error ? 'channels-error' : undefined}>
            <legend>{texts.channels}</legend>
            <ul>
              {channels?.map(({ id, name, isMember }) => (
                <li key={id}>
                  <label>
                    <input
                      type="checkbox"
                      name="channelIds"
                      checked={chosenIds.includes(id)}
                      onChange={({ target }) => toggle(id, target.checked)}
                    />
                    <bdi># {name}</bdi>
                    {!isMember && <span className={styles.hint}>{texts.inviteBotFirst}</span>}
                  </label>
                </li>
              ))}
            </ul>
            {error && (
              <p id="channels-error" className={styles.error}>
                {chosenIds.length === 0 ? texts.chooseChannel : error}
              </p>
            )}
          </fieldset>
          <input type="hidden" name="channelIds" value={chosen.channelIds} />
        </>
      ) : (
        <>
          <FormField
            name={field}
            label={texts.placeId(place ?? '')}
            dir="ltr"
            hint={placeHint}
            value={chosen.placeId}
            onValueChange={(placeId) => onChange({ ...chosen, placeId: placeId.trim() })}
          />
          <FormField
            name="channelIds"
            label={texts.channelIds}
            dir="ltr"
            hint={texts.moreSpacesBetweenThem}
            value={chosen.channelIds}
            onValueChange={(channelIds) => onChange({ ...chosen, channelIds })}
          />
        </>
      )}
    </>
  );
}

import type { WebhookEventType } from '../api/generated/operations.ts';
import { eventGroups, eventName, eventTypes, eventWords } from '../api/event-texts.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { useFieldError } from '../parts/controls/form.tsx';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

interface EventChoiceProps {
  chosen: readonly WebhookEventType[];
  onChange: (chosen: WebhookEventType[]) => void;
}

/** Event types grouped by subject, each group with a checkbox for all of it. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const { error, dismiss } = useFieldError('events');
  const choose = (types: readonly WebhookEventType[]): void => {
    dismiss();
    onChange([...types]);
  };
  const set = (types: readonly WebhookEventType[], isOn: boolean): void =>
    choose(eventTypes.filter((type) => (types.includes(type) ? isOn : chosen.includes(type))));
  return (
    <fieldset className={styles.events} aria-describedby={error ? 'events-error' : undefined}>
      <legend>{common.events}</legend>
      <div className={styles.eventActions}>
        <Button size="small" variant="quiet" onClick={() => choose(eventTypes)}>
          {texts.all}
        </Button>
        <Button size="small" variant="quiet" onClick={() => choose([])}>
          {common.none}
        </Button>
      </div>
      <ul>
        {eventGroups.map(([area, types]) => {
          const count = types.filter((type) => chosen.includes(type)).length;
          return (
            <li key={area}>
              <label className={styles.group}>
                <input
                  type="checkbox"
                  name="events"
                  checked={count === types.length}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && count < types.length;
                  }}
                  onChange={({ target }) => set(types, target.checked)}
                />
                <code dir="ltr">{area}.*</code>
              </label>
              <ul>
                {types.map((type) => (
                  <li key={type}>
                    <label>
                      <input
                        type="checkbox"
                        checked={chosen.includes(type)}
                        onChange={({ target }) => set([type], target.checked)}
                      />
                      <code dir="ltr">{eventName(type)}</code>
                      <span>{eventWords(type)}</span>
                    </label>
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
      {error && (
        <p id="events-error" className={styles.error}>
          {chosen.length === 0 ? texts.chooseEvent : error}
        </p>
      )}
    </fieldset>
  );
}

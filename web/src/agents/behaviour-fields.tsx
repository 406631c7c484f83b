import { useQuery } from '@tanstack/react-query';
import { AgentChoicesDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { common } from '../parts/common-texts.ts';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import type { AgentValues } from './agent-values.ts';
import { modelNames } from './model-names.ts';
import { texts } from './texts.ts';
import { VoiceSample } from './voice-sample.tsx';

const described = ({ id, name, description }: { id: string; name: string; description: string }) =>
  [id, `${name}: ${description}`] as const;

/** The usual name of a voice is its ID. */
const capitalized = (id: string): string => id.charAt(0) + id.slice(1).toLowerCase();

interface ModelAndVoiceFieldsProps {
  values: Pick<AgentValues, 'model' | 'voiceId'>;
  onChange: (part: Partial<AgentValues>) => void;
}

/** The model and the voice of an agent, or of one of its versions. */
export function ModelAndVoiceFields({ values, onChange }: ModelAndVoiceFieldsProps) {
  const {
    data: choices,
    error,
    refetch,
    isPending,
  } = useQuery({ ...query(AgentChoicesDocument, {}), staleTime: Infinity });
  const models = choices?.models.data.map(described) ?? Object.entries(modelNames);
  const voices = choices?.voices.data.map(described) ?? [];
  const hasVoice = values.voiceId === '' || voices.some(([id]) => id === values.voiceId);
  const chosenVoice = hasVoice ? [] : [[values.voiceId, capitalized(values.voiceId)] as const];
  return (
    <>
      <SelectField
        name="model"
        label={texts.model}
        value={values.model}
        isBusy={isPending}
        options={models}
        onChange={(model) => onChange({ model })}
      />
      <SelectField
        name="voiceId"
        label={common.voice}
        value={values.voiceId}
        isBusy={isPending}
        options={[['', texts.default], ...chosenVoice, ...voices]}
        onChange={(voiceId) => onChange({ voiceId })}
      />
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      <div>
        <VoiceSample voiceId={values.voiceId} />
      </div>
    </>
  );
}

interface GreetingFieldProps {
  value: string;
  hint?: string;
  onChange: (part: Partial<AgentValues>) => void;
}

/** The first message of an agent, or of one of its versions. */
export const GreetingField = ({ value, hint, onChange }: GreetingFieldProps) => (
  <FormField
    name="greetingMessage"
    label={texts.greeting}
    render={<textarea rows={3} />}
    maxLength={2000}
    hint={hint}
    value={value}
    onValueChange={(greetingMessage) => onChange({ greetingMessage })}
  />
);

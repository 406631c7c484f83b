import { useQuery } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';
import { AgentChoicesDocument, type AgentFieldsFragment } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { common } from '../parts/common-texts.ts';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { type AgentValues, categories } from './agent-values.ts';
import { InstructionsField } from './instructions-field.tsx';
import { modelNames } from './model-names.ts';
import { PublishSwitch } from './publish-switch.tsx';
import { texts } from './texts.ts';
import { VoiceSample } from './voice-sample.tsx';
import styles from './agents.module.css';

interface AgentFormProps {
  ref: Ref<HTMLFormElement>;
  /** Absent for a new agent. */
  agent?: AgentFieldsFragment | undefined;
  values: AgentValues;
  errors: Record<string, string>;
  onChange: (part: Partial<AgentValues>) => void;
  onSave: () => void;
  children: ReactNode;
}

const described = ({ id, name, description }: { id: string; name: string; description: string }) =>
  [id, `${name}: ${description}`] as const;

/** The usual name of a voice is its ID. */
const capitalized = (id: string): string => id.charAt(0) + id.slice(1).toLowerCase();

/** All fields of an agent, in sections. */
export function AgentForm({ ref, agent, values, errors, onChange, onSave, children }: AgentFormProps) {
  const {
    data: choices,
    error,
    refetch,
    isPending,
  } = useQuery({ ...query(AgentChoicesDocument, {}), staleTime: Infinity });
  const text = (name: 'name' | 'description' | 'greetingMessage') => ({
    name,
    value: values[name],
    onValueChange: (value: string) => onChange({ [name]: value }),
  });
  const models = choices?.models.data.map(described) ?? Object.entries(modelNames);
  const voices = choices?.voices.data.map(described) ?? [];
  const hasVoice = values.voiceId === '' || voices.some(([id]) => id === values.voiceId);
  const chosenVoice = hasVoice ? [] : [[values.voiceId, capitalized(values.voiceId)] as const];
  return (
    <Form
      ref={ref}
      className={styles.form}
      errors={errors}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Section title={texts.identity} hint={texts.howPeopleSee}>
        <FormField label={common.name} required maxLength={80} {...text('name')} />
        <FormField label={texts.description} maxLength={300} hint={texts.most300Characters} {...text('description')} />
        <SelectField
          name="category"
          label={texts.category}
          value={values.category}
          options={[['', common.none], ...categories]}
          onChange={(category) => onChange({ category })}
        />
      </Section>
      <Section title={texts.instructions} hint={texts.shouldMustNotOnly}>
        <InstructionsField value={values.instructions} onChange={(instructions) => onChange({ instructions })} />
      </Section>
      <Section title={texts.modelVoice} hint={texts.howThinksSounds}>
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
      </Section>
      <Section title={texts.greeting} hint={texts.firstMessageWrittenWhen}>
        <FormField
          label={texts.greeting}
          render={<textarea rows={3} />}
          maxLength={2000}
          {...text('greetingMessage')}
        />
      </Section>
      <Section title={texts.publishing} hint={texts.whoFindTalk}>
        <PublishSwitch agent={agent} values={values} onChange={(isPublic) => onChange({ isPublic })} />
      </Section>
      {children}
    </Form>
  );
}

const Section = ({ title, hint, children }: { title: string; hint: string; children: ReactNode }) => (
  <section className={styles.section}>
    <header>
      <h2>{title}</h2>
      <p className={styles.hint}>{hint}</p>
    </header>
    <div>{children}</div>
  </section>
);

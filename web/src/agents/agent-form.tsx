import { useQuery } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';
import { AgentChoicesDocument, type PicturePartsFragment } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { common } from '../parts/common-texts.ts';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { type AgentValues, categories } from './agent-values.ts';
import { InstructionsField } from './instructions-field.tsx';
import { PublishSwitch } from './publish-switch.tsx';
import { texts } from './texts.ts';
import { VoiceSample } from './voice-sample.tsx';
import styles from './agents.module.css';

interface AgentFormProps {
  ref: Ref<HTMLFormElement>;
  /** Absent for a new agent. */
  agentId?: string | undefined;
  picture?: PicturePartsFragment | null | undefined;
  values: AgentValues;
  errors: Record<string, string>;
  onChange: (part: Partial<AgentValues>) => void;
  onSave: () => void;
  children: ReactNode;
}

/** All fields of an agent, in sections. */
export function AgentForm({ ref, agentId, picture, values, errors, onChange, onSave, children }: AgentFormProps) {
  const { data: choices } = useQuery({ ...query(AgentChoicesDocument, {}), staleTime: Infinity });
  const text = (name: 'name' | 'description' | 'greetingMessage') => ({
    name,
    value: values[name],
    onValueChange: (value: string) => onChange({ [name]: value }),
  });
  const models = choices?.models.data.map(({ id, name, description }) => [id, `${name}: ${description}`] as const);
  const voices = choices?.voices.data.map(({ id, name, description }) => [id, `${name}: ${description}`] as const);
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
          options={models ?? [[values.model, values.model]]}
          onChange={(model) => onChange({ model })}
        />
        <SelectField
          name="voiceId"
          label={common.voice}
          value={values.voiceId}
          options={[['', texts.default], ...(voices ?? [])]}
          onChange={(voiceId) => onChange({ voiceId })}
        />
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
        <PublishSwitch
          agentId={agentId}
          picture={picture}
          name={values.name}
          description={values.description}
          isPublic={values.isPublic}
          onChange={(isPublic) => onChange({ isPublic })}
        />
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

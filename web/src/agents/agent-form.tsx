import type { ReactNode, Ref } from 'react';
import type { AgentFieldsFragment } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { type AgentValues, categories } from './agent-values.ts';
import { GreetingField, ModelAndVoiceFields } from './behaviour-fields.tsx';
import { InstructionsField } from './instructions-field.tsx';
import { PublishSwitch } from './publish-switch.tsx';
import { texts } from './texts.ts';
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

/** All fields of an agent, in sections. */
export function AgentForm({ ref, agent, values, errors, onChange, onSave, children }: AgentFormProps) {
  const text = (name: 'name' | 'description') => ({
    name,
    value: values[name],
    onValueChange: (value: string) => onChange({ [name]: value }),
  });
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
        <ModelAndVoiceFields values={values} onChange={onChange} />
      </Section>
      <Section title={texts.greeting} hint={texts.firstMessageWrittenWhen}>
        <GreetingField value={values.greetingMessage} onChange={onChange} />
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

import type { AgentFieldsFragment, CreateAgentInput, UpdateAgentInput } from '../api/generated/operations.ts';
import { texts } from './texts.ts';

/** The fields of the editor as text, as the form and its stored draft hold them. */
export interface AgentValues {
  name: string;
  description: string;
  instructions: string;
  greetingMessage: string;
  model: string;
  voiceId: string;
  category: string;
  isPublic: boolean;
}

export const emptyAgent: AgentValues = {
  name: '',
  description: '',
  instructions: '',
  greetingMessage: '',
  model: 'DEFAULT',
  voiceId: '',
  category: '',
  isPublic: false,
};

export const valuesOf = (agent: AgentFieldsFragment): AgentValues => ({
  name: agent.name,
  description: agent.description ?? '',
  instructions: agent.instructions ?? '',
  greetingMessage: agent.greetingMessage ?? '',
  model: agent.model,
  voiceId: agent.voiceId ?? '',
  category: agent.category ?? '',
  isPublic: agent.isPublic,
});

/** Converts form values to input. An empty field clears its value. */
export const inputOf = (values: AgentValues): CreateAgentInput => ({
  name: values.name,
  instructions: values.instructions,
  description: values.description || null,
  greetingMessage: values.greetingMessage || null,
  model: values.model as CreateAgentInput['model'],
  voiceId: (values.voiceId || null) as CreateAgentInput['voiceId'],
  category: (values.category || null) as CreateAgentInput['category'],
  isPublic: values.isPublic,
});

/** Converts only the changed values to input, so that other fields keep what was stored for them meanwhile. */
export const changedInput = (values: AgentValues, changes: Partial<AgentValues>): UpdateAgentInput =>
  Object.fromEntries(Object.entries(inputOf(values)).filter(([name]) => name in changes));

export const categories = [
  ['ASSISTANT', texts.assistant],
  ['TUTOR', texts.tutor],
  ['DEVELOPER', texts.developer],
  ['CREATIVE', texts.creative],
  ['COACH', texts.coach],
  ['COMPANION', texts.companion],
  ['CHARACTER', texts.character],
  ['OTHER', texts.other],
] as const;

interface Template {
  title: string;
  text: string;
  values: Partial<AgentValues>;
}

export const templates: readonly Template[] = [
  {
    title: texts.tutor,
    text: texts.explainsStepStepAsks,
    values: {
      name: texts.tutor,
      category: 'TUTOR',
      description: texts.patientTutorAnySubject,
      instructions: texts.tutorInstructions,
      greetingMessage: texts.helloWouldLikeUnderstand,
    },
  },
  {
    title: texts.support,
    text: texts.helpsCustomersDocuments,
    values: {
      name: texts.support,
      category: 'ASSISTANT',
      description: texts.helpsQuestionsAboutOur,
      instructions: texts.supportInstructions,
      greetingMessage: texts.hiHowIHelp,
    },
  },
  {
    title: texts.writer,
    text: texts.draftsTightensTextsVoice,
    values: {
      name: texts.writer,
      category: 'CREATIVE',
      model: 'CREATIVE',
      description: texts.draftsTightensTexts,
      instructions: texts.writerInstructions,
      greetingMessage: texts.weWriting,
    },
  },
];

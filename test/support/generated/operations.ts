/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What an agent is for. */
export type AgentCategory =
  /** Helps with this and that. */
  | 'ASSISTANT'
  /** Somebody out of a story. */
  | 'CHARACTER'
  /** Helps to reach an aim. */
  | 'COACH'
  /** Keeps company. */
  | 'COMPANION'
  /** Writes and invents. */
  | 'CREATIVE'
  /** Helps with programs. */
  | 'DEVELOPER'
  /** None of these. */
  | 'OTHER'
  /** Teaches. */
  | 'TUTOR';

/** What “create agent” is done with. */
export type CreateAgentInput = {
  /** URL of a square image, 256x256 or larger. */
  avatarUrl?: string | null | undefined;
  /** What it is for. */
  category?: AgentCategory | null | undefined;
  /** At most 300 characters. */
  description?: string | null | undefined;
  /** At most 2,000 characters; generated when omitted. */
  greetingMessage?: string | null | undefined;
  /** The system prompt, 1 to 32,000 characters; Markdown allowed. */
  instructions: string;
  /** false when omitted. */
  isPublic?: boolean | null | undefined;
  /** `default` when omitted. */
  model?: ModelId | null | undefined;
  /** 1 to 80 characters. */
  name: string;
  /** The voice that it speaks with. */
  voiceId?: VoiceId | null | undefined;
};

/** Who wrote a message. */
export type MessageRole =
  /** The agent. */
  | 'ASSISTANT'
  /** The person. */
  | 'USER';

/** A language model of the service. */
export type ModelId =
  /** Freer and more surprising: stories, ideas, role play. */
  | 'CREATIVE'
  /** Balanced: good at most conversations. */
  | 'DEFAULT'
  /** Short answers, quickly, with a shorter memory. */
  | 'FAST'
  /** Sticks to what is known: support, study, answers from documents. */
  | 'PRECISE';

/** A voice that an agent can speak with. */
export type VoiceId =
  /** Neutral. */
  | 'ALLOY'
  /** Warm. */
  | 'ECHO'
  /** Expressive. */
  | 'FABLE'
  /** Bright. */
  | 'NOVA'
  /** Deep. */
  | 'ONYX'
  /** Soft. */
  | 'SHIMMER';

export type LineFragment = { id: string, role: MessageRole, content: string };

export type MakeAgentMutationVariables = Exact<{
  input: CreateAgentInput;
}>;


export type MakeAgentMutation = { createAgent: { id: string, model: ModelId } };

export type BeginMutationVariables = Exact<{
  agentId: string | number;
}>;


export type BeginMutation = { createConversation: { id: string } };

export type SayMutationVariables = Exact<{
  conversationId: string | number;
  content: string;
}>;


export type SayMutation = { sendMessage: { assistantMessage: { id: string, role: MessageRole, content: string } } };

export type InboxQueryVariables = Exact<{
  limit?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type InboxQuery = { conversations: { data: Array<{ id: string, title: string | null, agent: { name: string } | null, messages: Array<{ id: string, role: MessageRole, content: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ModelsQueryVariables = Exact<{ [key: string]: never; }>;


export type ModelsQuery = { models: { data: Array<{ id: ModelId, name: string, contextTokens: number, isDefault: boolean }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const LineFragmentDoc = new TypedDocumentString(`
    fragment Line on Message {
  id
  role
  content
}
    `, {"fragmentName":"Line"}) as unknown as TypedDocumentString<LineFragment, unknown>;
export const MakeAgentDocument = new TypedDocumentString(`
    mutation MakeAgent($input: CreateAgentInput!) {
  createAgent(input: $input) {
    id
    model
  }
}
    `) as unknown as TypedDocumentString<MakeAgentMutation, MakeAgentMutationVariables>;
export const BeginDocument = new TypedDocumentString(`
    mutation Begin($agentId: ID!) {
  createConversation(input: {agentId: $agentId}) {
    id
  }
}
    `) as unknown as TypedDocumentString<BeginMutation, BeginMutationVariables>;
export const SayDocument = new TypedDocumentString(`
    mutation Say($conversationId: ID!, $content: String!) {
  sendMessage(conversationId: $conversationId, input: {content: $content}) {
    assistantMessage {
      ...Line
    }
  }
}
    fragment Line on Message {
  id
  role
  content
}`) as unknown as TypedDocumentString<SayMutation, SayMutationVariables>;
export const InboxDocument = new TypedDocumentString(`
    query Inbox($limit: Int, $after: String) {
  conversations(limit: $limit, after: $after) {
    data {
      id
      title
      agent {
        name
      }
      messages {
        ...Line
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Line on Message {
  id
  role
  content
}`) as unknown as TypedDocumentString<InboxQuery, InboxQueryVariables>;
export const ModelsDocument = new TypedDocumentString(`
    query Models {
  models {
    data {
      id
      name
      contextTokens
      isDefault
    }
  }
}
    `) as unknown as TypedDocumentString<ModelsQuery, ModelsQueryVariables>;
import { Arg, ID } from 'type-graphql';

/** Declares the argument `agentId` of an operation that only the agent's owner may call. */
export const AgentIdArg = (): ParameterDecorator =>
  Arg('agentId', () => ID, { description: 'ID of one of your agents.' }) as ParameterDecorator;

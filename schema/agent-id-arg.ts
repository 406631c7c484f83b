import { Arg, ID } from 'type-graphql';

/** The argument `agentId` of what only the owner of an agent may do. */
export const AgentIdArg = (): ParameterDecorator =>
  Arg('agentId', () => ID, { description: 'ID of one of your agents.' }) as ParameterDecorator;

import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { breakingChanges, type Interface } from '../../rest/released/breaking-changes.ts';
import { factsOf } from '../../rest/released/facts.ts';
import { routes } from '../../rest/routes/routes.ts';

/** The schema without descriptions, whose changes are not breaking. */
const read = (name: string): string =>
  readFileSync(new URL(`../../rest/released/${name}`, import.meta.url), 'utf8').replaceAll(/^ *"""[\s\S]*?"""\n/gm, '');
const graphql = read('schema.graphql');
const rest = read('rest.graphql');
const facts = read('facts.txt').split('\n').filter(Boolean);

/** Replaces each `[before, after]` in a text. @throws Error when `before` does not occur */
const changed = (text: string, ...changes: [string, string][]): GraphQLSchema => {
  let result = text;
  for (const [before, after] of changes) {
    expect(result).toContain(before);
    result = result.replace(before, after);
  }
  return buildSchema(result);
};
const released: Interface = { graphql: buildSchema(graphql), rest: buildSchema(rest), facts };
const broken = (present: Partial<Interface>): Promise<string[]> =>
  breakingChanges(released, { ...released, ...present });

describe('a release', () => {
  const breaks: [string, [string, string]][] = [
    ['a field that is gone', ['  creatorId: ID!', '  ownerId: ID!']],
    ['a field that may be null now', ['  creatorId: ID!', '  creatorId: ID']],
    ['an argument that must be given', ['sort: AgentSort\n', 'sort: AgentSort!\n']],
    ['a value that is gone', ['enum AgentSort {\n  CREATED_AT\n', 'enum AgentSort {\n']],
    ['an input that must be given', ['input FeedbackInput {\n', 'input FeedbackInput {\n  why: String!\n']],
  ];
  test.each(breaks)('is broken by %s', async (_what, change) => {
    expect(await broken({ graphql: changed(graphql, change) })).not.toEqual([]);
  });

  test('is broken by a field removed from REST alone', async () => {
    const lost = changed(rest, ['  creator_id: ID!', '  owner_id: ID!']);
    expect(await broken({ rest: lost })).toEqual([expect.stringContaining('creator_id')]);
  });

  test.each([
    ['a path', 'GET /v1/agents agents 200'],
    ['what a credential needs', 'GET /v1/agents needs agents:read'],
    ['a value on the wire', 'value AgentSort created_at'],
    ['a type of events', 'event agent.created id'],
    ['a member of an event', 'event message.created data.conversation_id'],
    ['an error code with its status', 'error not_found 404'],
  ])('is broken by removing or changing %s', async (_what, fact) => {
    expect(facts).toContain(fact);
    expect(await broken({ facts: facts.filter((one) => one !== fact) })).toEqual([`REST: ${fact} is gone`]);
  });

  test('has a fact for everything that is not deprecated', () => {
    const schema = changed(graphql, [
      'enum AgentSort {\n',
      'enum AgentSort {\n  OLD @deprecated(reason: "Of no use.")\n',
    ]);
    expect(factsOf(schema, routes)).not.toContain('value AgentSort OLD');
    const withoutAgents = changed(graphql, ['): AgentList!\n', '): AgentList! @deprecated(reason: "Of no use.")\n']);
    const paths = (of: GraphQLSchema) => factsOf(of, routes).filter((fact) => fact.startsWith('GET /v1/agents '));
    expect([paths(released.graphql).length, paths(withoutAgents).length]).toEqual([1, 0]);
  });

  test('is not broken by additions', async () => {
    const present = changed(
      graphql,
      ['type AgentList {\n', 'type AgentList {\n  more: Int\n'],
      ['enum AgentSort {\n', 'enum AgentSort {\n  SIZE\n'],
      ['input FeedbackInput {\n', 'input FeedbackInput {\n  why: String\n'],
    );
    expect(await broken({ graphql: present, facts: [...facts, 'GET /v1/more more 200'] })).toEqual([]);
  });

  test('may lose what was deprecated, and nothing else', async () => {
    const old = (name: string) => `  ${name}: Int @deprecated(reason: "Of no use.")`;
    const before = changed(
      graphql,
      ['type AgentList {\n', `type AgentList {\n${old('oldField')}\n`],
      ['input FeedbackInput {\n', `input FeedbackInput {\n${old('oldInput')}\n`],
      ['enum AgentSort {\n', 'enum AgentSort {\n  OLD @deprecated(reason: "Of no use.")\n'],
      ['agents(\n', `agents(\n${old('oldArgument')}\n    other: Int\n`],
    );
    const changes = await breakingChanges({ ...released, graphql: before }, released);
    expect(changes).toEqual([expect.stringContaining("'other: Int'")]);
  });
});

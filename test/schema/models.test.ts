import { graphql, print } from 'graphql';
import { expect, test } from 'vitest';
import { buildGraphqlSchema } from '../../schema/build.ts';
import type { GraphqlContext } from '../../schema/context.ts';
import { builtInModels } from '../../src/agents/models.ts';
import { ModelsDocument, type ModelsQuery } from '../support/generated/operations.ts';

test('an anonymous caller can list the models, one of which is the default', async () => {
  const context = {
    actor: { kind: 'anonymous', ip: null },
    config: { models: builtInModels },
  } as unknown as GraphqlContext;
  const { data, errors } = await graphql({
    schema: buildGraphqlSchema(),
    source: print(ModelsDocument),
    contextValue: context,
  });
  expect(errors).toBeUndefined();
  const { models } = data as unknown as ModelsQuery;
  expect(models.data.filter((model) => model.isDefault).map((model) => model.id)).toEqual(['DEFAULT']);
});

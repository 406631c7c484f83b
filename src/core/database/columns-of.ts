import { type EntityClass, EntitySchema } from '@mikro-orm/postgresql';

interface Selection<Entity> {
  /** Only these properties. */
  only?: readonly (keyof Entity & string)[];
  except?: readonly (keyof Entity & string)[];
  /** SQL that replaces the column of a property. */
  computed?: { readonly [Property in keyof Entity]?: string };
}

/**
 * The select list that reads rows of `alias` as the entity has them: every column under the name of its property. Call it at module level, to build a statement.
 */
export function columnsOf<Entity extends object>(
  entity: EntityClass<Entity>,
  alias: string,
  { only, except = [], computed = {} }: Selection<Entity> = {},
): string {
  const schema = EntitySchema.REGISTRY.get(entity);
  if (!schema) throw new Error(`${entity.name} has no schema: call setClass beside its class.`);
  const expressions = computed as Readonly<Record<string, string>>;
  const wanted = (name: string) =>
    only ? only.some((property) => property === name) : !except.some((property) => property === name);
  return Object.entries(schema.meta.properties as Record<string, { fieldName?: string }>)
    .filter(([name]) => wanted(name))
    .map(([name, { fieldName }]) => `${expressions[name] ?? `${alias}."${fieldName ?? snakeCase(name)}"`} as "${name}"`)
    .join(', ');
}

/** As MikroORM's default naming strategy has it. The mapper itself resolves names only when it is initialized. */
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

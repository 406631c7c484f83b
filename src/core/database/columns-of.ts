import { type EntityClass, EntitySchema } from '@mikro-orm/postgresql';

interface Selection<Entity> {
  /** Properties to select. All by default. */
  only?: readonly (keyof Entity & string)[];
  except?: readonly (keyof Entity & string)[];
  /** SQL expressions that replace the columns of properties. */
  computed?: { readonly [Property in keyof Entity]?: string };
}

/**
 * Returns the select list for the columns of an entity, each named like its property. `alias` is the alias of the
 * table. Call it at module level, where statements are defined.
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

/** Matches the default naming strategy of MikroORM, which resolves column names only when it is initialized. */
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

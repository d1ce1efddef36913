import { referenceOf, type Definition, type Model, type Schema } from './definitions.ts'
import {
  propertyName,
  quoted,
} from '../../packages/setpoint/src/kinds/crd-types/typescript-source.ts'

/** The tables of list types, one file a group version, and the index over them. */
export function listFiles(model: Model): Map<string, string> {
  const telling = tellingDefinitions(model)
  const all = dependenciesFirst(model, telling)
  const named = namedDefinitions(all, telling)
  const byFile = new Map<string, Definition[]>()
  for (const definition of all.filter(({ key }) => named.has(key))) {
    byFile.set(definition.file, [...(byFile.get(definition.file) ?? []), definition])
  }
  const files = new Map(
    [...byFile].map(([file, definitions]) => [
      `lists/${file}.ts`,
      listFile({ model, telling, named, file }, definitions),
    ]),
  )
  return files.set('lists/index.ts', listIndex(byFile))
}

interface Context {
  readonly model: Model
  /** Keys of the definitions that have something to say, themselves or further down. */
  readonly telling: ReadonlySet<string>
  /** Keys of those with a constant of their own; the others stand where they are used. */
  readonly named: ReadonlySet<string>
  readonly file: string
}

function listFile(context: Context, definitions: readonly Definition[]): string {
  const tables = definitions.map(
    (one) => `export const ${one.name}: ListTable = ${tableOf(context, one)}\n`,
  )
  const files = [...context.model.definitions.values()].map(({ file }) => file)
  const importLines = [...new Set(files)]
    .filter((other) => tables.some((table) => table.includes(` ${variableOf(other)}.`)))
    .sort()
    .map((other) => `import * as ${variableOf(other)} from './${other}.ts'`)
  const kinds = definitions.filter(({ resource }) => resource !== undefined)
  const kindEntries = kinds.map(({ name, kind }) => (name === kind ? name : `${kind}: ${name}`))
  return [
    `import type { ListTable } from '../../list-table.ts'`,
    ...importLines,
    '',
    ...tables,
    ...(kinds.length === 0
      ? []
      : [
          `export const listTables: Readonly<Record<string, ListTable>> = {`,
          ...kindEntries.sort().map((entry) => `  ${entry},`),
          '}',
        ]),
    '',
  ].join('\n')
}

function listIndex(byFile: ReadonlyMap<string, readonly Definition[]>): string {
  const files = [...byFile]
    .flatMap(([file, definitions]) => {
      const apiVersion = definitions.find(({ resource }) => resource !== undefined)?.apiVersion
      return apiVersion === undefined ? [] : [{ file, apiVersion }]
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1))
  return [
    `import type { ListTable } from '../../list-table.ts'`,
    ...files.map(({ file }) => `import { listTables as ${variableOf(file)} } from './${file}.ts'`),
    '',
    `/** Tables by apiVersion, then by kind. */`,
    `export const listTablesByApiVersion: Readonly<`,
    `  Record<string, Readonly<Record<string, ListTable>>>`,
    `> = {`,
    ...files.map(({ file, apiVersion }) => `  ${propertyName(apiVersion)}: ${variableOf(file)},`),
    '}',
    '',
  ].join('\n')
}

/** A table, in the form that `kinds/list-table.ts` explains. */
function tableOf(context: Context, definition: Definition): string {
  const references: string[] = []
  const words = Object.entries(definition.schema.properties ?? {}).flatMap(([name, schema]) => {
    const said = saidOf(context, schema, references)
    return said.length === 0 ? [] : [`${name}:${said.join(',')}`]
  })
  return `[${[quoted(words.join(' ')), ...references].join(', ')}]`
}

function variableOf(file: string): string {
  return file.replace(/-v/, 'V')
}

/** The table of what is in a field: by its name, or itself if it is used nowhere else. */
function referenceTo(context: Context, definition: Definition): string {
  const { key, name, file } = definition
  if (!context.named.has(key)) return tableOf(context, definition)
  return file === context.file ? name : `${variableOf(file)}.${name}`
}

function namedDefinitions(
  all: readonly Definition[],
  telling: ReadonlySet<string>,
): ReadonlySet<string> {
  const uses = new Map<string, number>()
  for (const key of all.flatMap(({ schema }) => directReferences(schema))) {
    if (telling.has(key)) uses.set(key, (uses.get(key) ?? 0) + 1)
  }
  const named = all.filter((one) => one.resource !== undefined || (uses.get(one.key) ?? 0) > 1)
  return new Set(named.map(({ key }) => key))
}

/** What there is to say of a value, or nothing if an applied value simply replaces the old one. */
function saidOf(context: Context, schema: Schema, references: string[]): string[] {
  const reference = referenceOf(schema)
  const target = reference === undefined ? undefined : context.model.definitions.get(reference)
  const mapType = schema['x-kubernetes-map-type'] ?? target?.schema['x-kubernetes-map-type']
  const content = isReplacedWhole(schema)
    ? undefined
    : (schema.items ?? schema.additionalProperties)
  const items = content === undefined ? [] : saidOf(context, content, references)
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  const patch = schema['x-kubernetes-patch-strategy']
  const listType = schema['x-kubernetes-list-type']
  const hasFields = target !== undefined && context.telling.has(target.key)
  if (hasFields) references.push(referenceTo(context, target))
  return [
    ...(listType === 'map' || listType === 'set' ? [`l${listType}`] : []),
    ...keys.map((key) => `k${key}`),
    ...(patch === undefined ? [] : [`p${patch.replace(',', '+')}`]),
    ...(mergeKey === undefined ? [] : [`g${mergeKey}`]),
    ...(mapType === 'atomic' ? ['a'] : []),
    ...(hasFields ? ['f'] : []),
    ...items.map((one, index) => (index === 0 ? `i${one}` : one)),
  ]
}

/** Atomic lists: what would merge inside their items never does. */
function isReplacedWhole(schema: Schema): boolean {
  const listType = schema['x-kubernetes-list-type']
  return (
    schema.type === 'array' &&
    (listType === undefined || listType === 'atomic') &&
    schema['x-kubernetes-patch-strategy'] === undefined
  )
}

/** Finds, step by step, the definitions that say something or lead to one that does. */
function tellingDefinitions(model: Model): Set<string> {
  const telling = new Set<string>()
  for (let sizeBefore = -1; sizeBefore !== telling.size;) {
    sizeBefore = telling.size
    for (const { key, schema } of model.definitions.values()) {
      const properties = Object.values(schema.properties ?? {})
      const context = { model, telling, named: new Set(model.definitions.keys()), file: '' }
      if (properties.some((one) => saidOf(context, one, []).length > 0)) telling.add(key)
    }
  }
  return telling
}

/** What the kinds need, each table after those it names: a constant must exist before its use. */
function dependenciesFirst(model: Model, telling: ReadonlySet<string>): Definition[] {
  const ordered = new Set<Definition>()
  const visit = (key: string, path: readonly string[]): void => {
    const definition = model.definitions.get(key)
    if (definition === undefined || !telling.has(key)) return
    if (path.includes(key)) throw new Error(`${key} contains itself: a table cannot say that`)
    for (const reference of directReferences(definition.schema)) visit(reference, [...path, key])
    ordered.add(definition)
  }
  const kinds = [...model.definitions.values()].filter(({ resource }) => resource !== undefined)
  for (const { key } of kinds) visit(key, [])
  return [...ordered]
}

function directReferences(schema: Schema): string[] {
  return Object.values(schema.properties ?? {}).flatMap((property) => {
    if (isReplacedWhole(property)) return []
    let inner = property
    while (inner.items !== undefined || inner.additionalProperties !== undefined) {
      inner = inner.items ?? inner.additionalProperties ?? {}
    }
    return referenceOf(inner) ?? []
  })
}

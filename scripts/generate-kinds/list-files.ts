import { referenceOf, type Definition, type Model, type Schema } from './definitions.ts'
import {
  propertyName,
  quoted,
} from '../../packages/setpoint/src/kinds/crd-types/typescript-source.ts'

/** The tables of list types, one file per group version, and their index. */
export function listFiles(model: Model): Map<string, string> {
  const withLists = definitionsWithLists(model)
  const all = dependenciesFirst(model, withLists)
  const named = namedDefinitions(all, withLists)
  const byFile = new Map<string, Definition[]>()
  for (const definition of all.filter(({ key }) => named.has(key))) {
    byFile.set(definition.file, [...(byFile.get(definition.file) ?? []), definition])
  }
  const files = new Map(
    [...byFile].map(([file, definitions]) => [
      `lists/${file}.ts`,
      listFile({ model, withLists, named, file }, definitions),
    ]),
  )
  return files.set('lists/index.ts', listIndex(byFile))
}

interface Context {
  readonly model: Model
  /** Keys of the definitions with list types, in themselves or in a nested definition. */
  readonly withLists: ReadonlySet<string>
  /** Keys of definitions with their own constant; others are inlined where they are used. */
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

/** A table in the form that `kinds/list-table.ts` documents. */
function tableOf(context: Context, definition: Definition): string {
  const references: string[] = []
  const words = fieldsOf(definition).flatMap(([name, schema]) => {
    const entries = entriesOf(context, schema, references)
    return entries.length === 0 ? [] : [`${name}:${entries.join(',')}`]
  })
  return `[${[quoted(words.join(' ')), ...references].join(', ')}]`
}

function variableOf(file: string): string {
  return file.replace(/-v/, 'V')
}

/** The table of a field's value: by its name, or inlined if it is used only once. */
function referenceTo(context: Context, definition: Definition): string {
  const { key, name, file } = definition
  if (!context.named.has(key)) return tableOf(context, definition)
  return file === context.file ? name : `${variableOf(file)}.${name}`
}

function namedDefinitions(
  all: readonly Definition[],
  withLists: ReadonlySet<string>,
): ReadonlySet<string> {
  const uses = new Map<string, number>()
  for (const key of all.flatMap(directReferences)) {
    if (withLists.has(key)) uses.set(key, (uses.get(key) ?? 0) + 1)
  }
  const named = all.filter((one) => one.resource !== undefined || (uses.get(one.key) ?? 0) > 1)
  return new Set(named.map(({ key }) => key))
}

/** The entries for a value; empty if an applied value simply replaces the old one. */
function entriesOf(context: Context, schema: Schema, references: string[]): string[] {
  const reference = referenceOf(schema)
  const target = reference === undefined ? undefined : context.model.definitions.get(reference)
  // Objects are left out: the server adds defaults to them, which would look like drift.
  const isAtomicMap =
    schema['x-kubernetes-map-type'] === 'atomic' && schema.additionalProperties !== undefined
  const content = isReplacedWhole(schema)
    ? undefined
    : (schema.items ?? schema.additionalProperties)
  const items = content === undefined ? [] : entriesOf(context, content, references)
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const listType = schema['x-kubernetes-list-type']
  const hasFields = target !== undefined && context.withLists.has(target.key)
  if (hasFields) references.push(referenceTo(context, target))
  return [
    ...(listType === 'set' ? ['s'] : []),
    ...keys.map((key) => `k${key}`),
    ...(isAtomicMap ? ['a'] : []),
    ...(hasFields ? ['f'] : []),
    ...items.map((one, index) => (index === 0 ? `i${one}` : one)),
  ]
}

/** Atomic lists: their items are never merged. */
function isReplacedWhole(schema: Schema): boolean {
  const listType = schema['x-kubernetes-list-type']
  return schema.type === 'array' && (listType === undefined || listType === 'atomic')
}

/**
 * Finds the definitions with list types, or with references to such definitions, until nothing
 * changes.
 */
function definitionsWithLists(model: Model): Set<string> {
  const withLists = new Set<string>()
  for (let sizeBefore = -1; sizeBefore !== withLists.size;) {
    sizeBefore = withLists.size
    for (const definition of model.definitions.values()) {
      const context = { model, withLists, named: new Set(model.definitions.keys()), file: '' }
      const hasLists = fieldsOf(definition).some(
        ([, schema]) => entriesOf(context, schema, []).length > 0,
      )
      if (hasLists) withLists.add(definition.key)
    }
  }
  return withLists
}

/**
 * The tables of the kinds, each after those it refers to: a constant must be defined before its
 * use.
 */
function dependenciesFirst(model: Model, withLists: ReadonlySet<string>): Definition[] {
  const ordered = new Set<Definition>()
  const visit = (key: string, path: readonly string[]): void => {
    const definition = model.definitions.get(key)
    if (definition === undefined || !withLists.has(key)) return
    if (path.includes(key))
      throw new Error(`${key} contains itself: list tables do not support recursion`)
    for (const reference of directReferences(definition)) visit(reference, [...path, key])
    ordered.add(definition)
  }
  const kinds = [...model.definitions.values()].filter(({ resource }) => resource !== undefined)
  for (const { key } of kinds) visit(key, [])
  return [...ordered]
}

/** The fields of a definition. The metadata of a kind is left out: `listTypesOf` adds it to all kinds. */
function fieldsOf({ schema, resource }: Definition): [name: string, schema: Schema][] {
  return Object.entries(schema.properties ?? {}).filter(
    ([name]) => resource === undefined || name !== 'metadata',
  )
}

function directReferences(definition: Definition): string[] {
  return fieldsOf(definition).flatMap(([, property]) => {
    if (isReplacedWhole(property)) return []
    let inner = property
    while (inner.items !== undefined || inner.additionalProperties !== undefined) {
      inner = inner.items ?? inner.additionalProperties ?? {}
    }
    return referenceOf(inner) ?? []
  })
}

import { referenceOf, type Definition, type Model, type Schema } from './definitions.ts'
import { propertyName, quoted } from '../../packages/setpoint/src/kinds/typescript-source.ts'

/** The tables of list types, one file a group version, and the index over them. */
export function listFiles(model: Model): Map<string, string> {
  const telling = tellingDefinitions(model)
  const byFile = new Map<string, Definition[]>()
  for (const definition of dependenciesFirst(model, telling)) {
    byFile.set(definition.file, [...(byFile.get(definition.file) ?? []), definition])
  }
  const files = new Map(
    [...byFile].map(([file, definitions]) => [
      `lists/${file}.ts`,
      listFile({ model, telling, file }, definitions),
    ]),
  )
  return files.set('lists/index.ts', listIndex(byFile))
}

interface Context {
  readonly model: Model
  /** Keys of the definitions that have something to say, themselves or further down. */
  readonly telling: ReadonlySet<string>
  readonly file: string
}

function listFile(context: Context, definitions: readonly Definition[]): string {
  const imports = new Map<string, Set<string>>()
  for (const definition of definitions) {
    for (const key of directReferences(definition.schema)) {
      const used = context.model.definitions.get(key)
      if (used === undefined || !context.telling.has(key) || used.file === context.file) continue
      imports.set(used.file, (imports.get(used.file) ?? new Set()).add(used.name))
    }
  }
  const importLines = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, names]) => `import { ${[...names].sort().join(', ')} } from './${file}.ts'`)
  const tables = definitions.map((definition) => tableOf(context, definition))
  const kinds = definitions.filter(({ resource }) => resource !== undefined)
  const kindEntries = kinds.map(({ name, kind }) => (name === kind ? name : `${kind}: ${name}`))
  return [
    `import type { ListTypes } from '../../list-types.ts'`,
    ...importLines,
    '',
    ...tables,
    ...(kinds.length === 0
      ? []
      : [
          `export const listTypes: Readonly<Record<string, ListTypes>> = {`,
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
  const variable = (file: string) => file.replace(/-v/, 'V')
  return [
    `import type { ListTypes } from '../../list-types.ts'`,
    ...files.map(({ file }) => `import { listTypes as ${variable(file)} } from './${file}.ts'`),
    '',
    `/** Tables by apiVersion, then by kind. */`,
    `export const listTypesByApiVersion: Readonly<`,
    `  Record<string, Readonly<Record<string, ListTypes>>>`,
    `> = {`,
    ...files.map(({ file, apiVersion }) => `  ${propertyName(apiVersion)}: ${variable(file)},`),
    '}',
    '',
  ].join('\n')
}

function tableOf(context: Context, definition: Definition): string {
  const entries = Object.entries(definition.schema.properties ?? {}).flatMap(([name, schema]) => {
    const node = nodeOf(context, schema)
    return node === undefined ? [] : [`  ${propertyName(name)}: ${node},`]
  })
  return [`export const ${definition.name}: ListTypes = {`, ...entries, '}', ''].join('\n')
}

/** The entry for a value, or nothing if an applied value simply replaces the old one. */
function nodeOf(context: Context, schema: Schema): string | undefined {
  const reference = referenceOf(schema)
  const target = reference === undefined ? undefined : context.model.definitions.get(reference)
  const mapType = schema['x-kubernetes-map-type'] ?? target?.schema['x-kubernetes-map-type']
  const content = isReplacedWhole(schema)
    ? undefined
    : (schema.items ?? schema.additionalProperties)
  const items = content === undefined ? undefined : nodeOf(context, content)
  const keys = schema['x-kubernetes-list-map-keys']
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  const patch = schema['x-kubernetes-patch-strategy']
  const listType = schema['x-kubernetes-list-type']
  const parts = [
    ...(listType === 'map' || listType === 'set' ? [`list: '${listType}'`] : []),
    ...(keys === undefined ? [] : [`keys: [${keys.map(quoted).join(', ')}]`]),
    ...(patch === undefined ? [] : [`patch: ${quoted(patch)}`]),
    ...(mergeKey === undefined ? [] : [`mergeKey: ${quoted(mergeKey)}`]),
    ...(mapType === 'atomic' ? ['atomic: true'] : []),
    ...(items === undefined ? [] : [`items: ${items}`]),
    ...(target === undefined || !context.telling.has(target.key) ? [] : [`fields: ${target.name}`]),
  ]
  return parts.length === 0 ? undefined : `{ ${parts.join(', ')} }`
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
      const context = { model, telling, file: '' }
      if (properties.some((one) => nodeOf(context, one) !== undefined)) telling.add(key)
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

import { printKind } from '../../packages/setpoint/src/kinds/crd-types/kind-source.ts'
import {
  docComment,
  named,
  printInterface,
  printList,
  quoted,
  union,
  type Member,
  type TypeNode,
} from '../../packages/setpoint/src/kinds/crd-types/typescript-source.ts'
import { aliases } from './aliases.ts'
import { referenceOf, type Definition, type Model, type Schema } from './definitions.ts'
import { kindDocs } from './kind-docs.ts'
import { messageNameOf } from './message-files.ts'

const usualVerbs = 'create,delete,deletecollection,get,list,patch,update,watch'

/** The source of every group version's file: its types, and a value for each kind it serves. */
export function typeFiles(model: Model): Map<string, string> {
  const files = new Map<string, Definition[]>()
  for (const definition of model.definitions.values()) {
    files.set(definition.file, [...(files.get(definition.file) ?? []), definition])
  }
  return new Map(
    [...files].map(([file, definitions]) => [
      `${file}.ts`,
      typeFile(model, file, definitions.sort(byName)),
    ]),
  )
}

/** All generated names: values by name, so that a bundler can leave out unused ones, and all types of each file. */
export function indexFile(model: Model): string {
  const files = [...new Set([...model.definitions.values()].map(({ file }) => file))].sort()
  return files
    .flatMap((file) => {
      const definitions = [...model.definitions.values()].filter((one) => one.file === file)
      const kinds = definitions
        .filter(({ resource }) => resource !== undefined)
        .map(({ name }) => name)
        .sort()
      return [exportLine(kinds, file), `export type * from './${file}.ts'`]
    })
    .filter((line) => line !== '')
    .join('\n')
}

function exportLine(names: readonly string[], file: string): string {
  if (names.length === 0) return ''
  return printList({
    before: 'export ',
    items: names,
    brackets: '{}',
    after: ` from './${file}.ts'`,
  })
}

function typeFile(model: Model, file: string, definitions: readonly Definition[]): string {
  const imports = new ImportList(file)
  const declarations = definitions.flatMap((definition) =>
    declarationsOf({ model, imports }, definition),
  )
  const hasMessages = definitions.some((one) => messageNameOf(one) !== undefined)
  const messages = hasMessages ? `import * as messages from './messages/${file}.ts'\n` : ''
  return `${messages}${imports.print()}${declarations.join('\n\n')}\n`
}

interface Context {
  readonly model: Model
  readonly imports: ImportList
}

/** Collects the imports of a file while its declarations are generated. */
class ImportList {
  readonly #file: string
  readonly #names = new Map<string, Set<string>>()

  constructor(file: string) {
    this.#file = file
  }

  add(name: string, from: string): void {
    if (from === `./${this.#file}.ts`) return
    const names = this.#names.get(from) ?? new Set()
    this.#names.set(from, names.add(name))
  }

  print(): string {
    const lines = [...this.#names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => {
        const items = [...names].sort()
        const before = items.includes('defineKind') ? 'import ' : 'import type '
        return `${printList({ before, items, brackets: '{}', after: ` from '${from}'` })}\n`
      })
    return lines.length === 0 ? '' : `${lines.join('')}\n`
  }
}

function declarationsOf(context: Context, definition: Definition): string[] {
  const alias = aliases[definition.key]
  if (alias !== undefined) {
    return [`${docComment(alias.doc, '')}export type ${definition.name} = ${alias.type}`]
  }
  const members = Object.entries(definition.schema.properties ?? {}).map(([name, schema]) =>
    memberOf(context, definition, { name, schema }),
  )
  const first = ['apiVersion', 'kind', 'metadata']
  const order = ({ name }: Member) => (first.includes(name) ? first.indexOf(name) : first.length)
  if (definition.resource !== undefined && kindDocs[definition.name] === undefined) {
    throw new Error(`add a description of ${definition.name} to kind-docs.ts`)
  }
  const declaration = printInterface({
    name: definition.name,
    doc: definition.resource && kindDocs[definition.name],
    members: members.sort((a, b) => order(a) - order(b)),
  })
  return definition.resource === undefined
    ? [declaration]
    : [declaration, kindOf(context, definition)]
}

function memberOf(
  context: Context,
  definition: Definition,
  { name, schema }: { name: string; schema: Schema },
): Member {
  const { apiVersion, kind, resource } = definition
  const identity = { apiVersion, kind }[name]
  if (identity !== undefined)
    return { name, optional: false, type: { form: 'literal', value: identity } }
  if (name === 'metadata' && resource !== undefined) {
    const metadata = resource.verbs.includes('get') ? 'StoredMetadata' : 'RequestMetadata'
    context.imports.add(metadata, '../metadata.ts')
    return { name, optional: false, type: named(`${metadata}<${quoted(resource.scope)}>`) }
  }
  const type = typeOf(context, schema)
  const isRequired = definition.schema.required?.includes(name) === true
  const mayBeNull = context.model.nullFields[definition.key]?.includes(name) === true
  // Go prints a struct that is not a pointer even when it is empty, so readers can rely on it. On
  // nested types, that would also make it required in writes; on a root, `Manifest` handles it.
  const isAlwaysPrinted = resource !== undefined && name !== 'status' && isStructDefault(schema)
  return {
    name,
    optional: !isRequired && !isAlwaysPrinted,
    type: mayBeNull ? union(type, named('null')) : type,
  }
}

function isStructDefault(schema: Schema): boolean {
  return referenceOf(schema) !== undefined && JSON.stringify(schema.default) === '{}'
}

function typeOf(context: Context, schema: Schema): TypeNode {
  const reference = referenceOf(schema)
  if (reference !== undefined) return referenceType(context, reference)
  if (schema.enum !== undefined) {
    return union(...schema.enum.map((value): TypeNode => ({ form: 'literal', value })))
  }
  switch (schema.type) {
    case 'array':
      return { form: 'array', of: typeOf(context, schema.items ?? {}) }
    case 'object':
      return { form: 'record', of: typeOf(context, schema.additionalProperties ?? {}) }
    case 'integer':
    case 'number':
      return named('number')
    case 'boolean':
      return named('boolean')
    case 'string':
      return named('string')
    default:
      return named('unknown')
  }
}

function referenceType(context: Context, key: string): TypeNode {
  const definition = context.model.definitions.get(key)
  if (definition === undefined) throw new Error(`${key} is referred to but not defined`)
  context.imports.add(definition.name, `./${definition.file}.ts`)
  if (definition.resource === undefined) return named(definition.name)
  // A nested object (a claim template) was never stored: it has no uid.
  context.imports.add('Manifest', '../manifest.ts')
  return named(`Manifest<${definition.name}>`)
}

function kindOf({ imports }: Context, definition: Definition): string {
  const { name, apiVersion, kind, resource } = definition
  if (apiVersion === undefined || kind === undefined || resource === undefined) {
    throw new Error(`${name} is served as a resource but its schema has no kind`)
  }
  imports.add('defineKind', '../define-kind.ts')
  imports.add('type ExactKind', '../define-kind.ts')
  const { resource: plural, singularResource: singular, shortNames, scope, verbs } = resource
  return printKind(name, {
    apiVersion,
    kind,
    plural,
    singular,
    shortNames,
    scope,
    subresources: resource.subresources?.map(({ subresource }) => subresource),
    verbs: verbs.join() === usualVerbs ? undefined : verbs,
    protobuf: messageNameOf(definition),
  })
}

function byName(a: Definition, b: Definition): number {
  return a.name < b.name ? -1 : 1
}

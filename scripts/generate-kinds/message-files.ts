import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { quoted } from '../../packages/setpoint/src/kinds/crd-types/typescript-source.ts'
import type { Definition, Model } from './definitions.ts'

/** A field of `data/proto-fields.json.gz`. */
interface ProtoField {
  readonly name: string
  readonly type: string
  readonly always?: true
  readonly pointer?: true
  readonly repeated?: true
  readonly inline?: true
  readonly map?: string
}

interface ProtoFields {
  /** apiVersion -> kind -> message. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Messages with another form in JSON. */
  readonly special: Readonly<Record<string, string>>
  /** Message -> number -> field. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, ProtoField>>>>
}

/** The letters that `protobuf/message-table.ts` documents. */
const letters: Readonly<Record<string, string>> = {
  string: '',
  int32: 'i',
  int64: 'i',
  bool: 'b',
  double: 'f',
  bytes: 'y',
  quantity: 'q',
  intOrString: 'o',
  list: 'l',
  time: 't',
  microTime: 'u',
  duration: 'd',
  json: 'j',
  rawExtension: 'j',
  schemaOrArray: 'A',
  schemaOrBool: 'B',
  schemaOrStringArray: 'S',
}

/** Objects that a watch sends in addition to those of its kind, and the message for any kind. */
const extraRoots = ['PartialObjectMetadata', 'Status'].map(
  (name) => `k8s.io.apimachinery.pkg.apis.meta.v1.${name}`,
)

/** The name of a kind's table, if its objects can be watched. */
export function messageNameOf({ apiVersion, kind, resource }: Definition): string | undefined {
  if (resource === undefined || !resource.verbs.includes('watch')) return undefined
  const message = data().kinds[apiVersion ?? '']?.[kind ?? '']
  return message === undefined ? undefined : `messages.${shortName(message)}`
}

/** The protobuf tables of everything that can be watched, one file per group version. */
export function messageFiles(model: Model): Map<string, string> {
  const roots = [...model.definitions.values()].flatMap((definition) =>
    messageNameOf(definition) === undefined
      ? []
      : (data().kinds[definition.apiVersion ?? '']?.[definition.kind ?? ''] ?? []),
  )
  const all = dependenciesFirst([...extraRoots, ...roots])
  const named = namedMessages(all, new Set([...extraRoots, ...roots]))
  const byFile = new Map<string, string[]>()
  for (const message of all.filter((one) => named.has(one))) {
    const file = fileOf(message)
    byFile.set(file, [...(byFile.get(file) ?? []), message])
  }
  return new Map(
    [...byFile]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, messages]) => [`messages/${file}.ts`, messageFile({ file, named }, messages)]),
  )
}

let known: ProtoFields | undefined

function data(): ProtoFields {
  const file = new URL('data/proto-fields.json.gz', import.meta.url)
  known ??= JSON.parse(gunzipSync(readFileSync(file)).toString()) as ProtoFields
  return known
}

interface Context {
  readonly file: string
  /** Messages with their own constant; others are inlined where they are used. */
  readonly named: ReadonlySet<string>
}

function messageFile(context: Context, messages: readonly string[]): string {
  const tables = messages.map((message) => {
    return `export const ${shortName(message)}: MessageTable = ${tableOf(context, message)}\n`
  })
  const imports = [...new Set([...context.named].map(fileOf))]
    .filter((other) => tables.some((table) => table.includes(` ${variableOf(other)}.`)))
    .sort()
    .map((other) => `import * as ${variableOf(other)} from './${other}.ts'`)
  return [
    `import type { MessageTable } from '../../../protobuf/index.ts'`,
    ...imports,
    '',
    ...tables,
  ].join('\n')
}

function tableOf(context: Context, message: string): string {
  const references = referencesOf(message).map((one) => {
    if (!context.named.has(one)) return tableOf(context, one)
    const file = fileOf(one)
    return file === context.file ? shortName(one) : `${variableOf(file)}.${shortName(one)}`
  })
  return `[${[quoted(fieldsText(message)), ...references].join(', ')}]`
}

/** A message that is used only once is inlined. */
function namedMessages(all: readonly string[], roots: ReadonlySet<string>): Set<string> {
  const uses = new Map<string, number>()
  for (const one of all.flatMap(referencesOf)) uses.set(one, (uses.get(one) ?? 0) + 1)
  return new Set(all.filter((one) => roots.has(one) || (uses.get(one) ?? 0) > 1))
}

function fieldsText(message: string): string {
  let last = 0
  return Object.entries(data().messages[message] ?? {})
    .map(([number, field]) => {
      const digits = Number(number) === last + 1 ? '' : number
      last = Number(number)
      const type = flagsOf(field) + typeOf(field, message)
      return `${digits}${field.name}${type === '' ? '' : `:${type}`}`
    })
    .join(' ')
}

function flagsOf({ always, pointer, repeated, map, inline }: ProtoField): string {
  return [
    always === true ? '!' : '',
    pointer === true ? '?' : '',
    repeated === true ? '*' : '',
    map === undefined ? '' : '%',
    inline === true ? '^' : '',
  ].join('')
}

function typeOf({ type }: ProtoField, message: string): string {
  const letter = letters[data().special[type] ?? type]
  if (letter !== undefined) return letter
  if (type === message) return 'r'
  const identity = identities().get(type)
  return identity === undefined ? 'm' : `m@${identity}`
}

/** Whole objects have kind and apiVersion in JSON, even when nested, and none in protobuf. */
function identities(): Map<string, string> {
  return new Map(
    Object.entries(data().kinds).flatMap(([apiVersion, kinds]) =>
      Object.entries(kinds).map(([kind, message]) => [message, `${apiVersion}/${kind}`] as const),
    ),
  )
}

/** The messages that a message refers to, with repetitions, in the order of its fields. */
function referencesOf(message: string): string[] {
  const { messages, special } = data()
  return Object.values(messages[message] ?? {})
    .map(({ type }) => type)
    .filter((type) => type !== message && type in messages && !(type in special))
}

/**
 * All reachable messages, each after those it refers to: a constant must be defined before its use.
 */
function dependenciesFirst(roots: readonly string[]): string[] {
  const ordered = new Set<string>()
  const visit = (message: string, path: readonly string[]): void => {
    if (ordered.has(message)) return
    if (path.includes(message))
      throw new Error(`${message} contains itself: message tables do not support recursion`)
    for (const reference of referencesOf(message)) visit(reference, [...path, message])
    ordered.add(message)
  }
  for (const root of roots) visit(root, [])
  return [...ordered]
}

function shortName(message: string): string {
  return message.slice(message.lastIndexOf('.') + 1)
}

function fileOf(message: string): string {
  if (message.startsWith('k8s.io.apimachinery.')) return 'meta-v1'
  return message.split('.').slice(-3, -1).join('-')
}

function variableOf(file: string): string {
  return file.replace(/-v/, 'V')
}

import { builtinData, type ProtoField } from '../../data/index.ts'
import { goTypesText, keptWhenEmpty, structOrderText } from '../go/go-types.ts'

/** How one value of a type is decoded and printed. */
export type Form =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'message'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'rawExtension'
  | 'json'
  | 'list'
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStringArray'

/** One field of a Go struct, for decoding. */
export interface FieldPlan {
  readonly name: string
  /** The name in errors: fields of embedded structs have the struct's name before them. */
  readonly errorName: string
  readonly shape: 'single' | 'list' | 'map'
  readonly form: Form
  /** The name of the message, for messages. */
  readonly message: string
  readonly pointer: boolean
  /** Printed even when zero. */
  readonly always: boolean
  /** Decoded even when empty, because an empty and a missing list have different rules. */
  readonly keepsEmpty: boolean
  /** The type as Go prints it, and the type of an item of a list or map. */
  readonly goType: string
  readonly itemGoType: string
}

/** A Go struct, for decoding. */
export interface MessagePlan {
  /** `DeploymentSpec` */
  readonly structName: string
  /** `v1.DeploymentSpec` */
  readonly goType: string
  /** In the order in which Go prints them. */
  readonly fields: readonly FieldPlan[]
  readonly indexByName: ReadonlyMap<string, number>
}

const plans = new Map<string, MessagePlan>()

/** The plan of a message, made at its first use. */
export function planOf(message: string): MessagePlan {
  let plan = plans.get(message)
  if (plan === undefined) plans.set(message, (plan = makePlan(message)))
  return plan
}

/** The message of a kind, if it is built in. */
export function messageOf(apiVersion: string, kind: string): string | undefined {
  const { kinds, everyGroupVersion, unversioned } = builtinData.proto()
  const own = Object.hasOwn(kinds, apiVersion) ? kinds[apiVersion] : undefined
  if (own !== undefined && Object.hasOwn(own, kind)) return own[kind]
  // `meta.k8s.io/v1beta1` has its own list, and uses the items of v1.
  const isBorrowed = apiVersion === 'meta.k8s.io/v1beta1'
  if (!isBorrowed && !everyGroupVersion.includes(kind) && !unversioned.includes(kind)) {
    return undefined
  }
  return kinds['meta.k8s.io/v1']?.[kind]
}

/** The JSON form of a protobuf type. */
export function formOf(type: string): Form {
  const { messages, special } = builtinData.proto()
  return (special[type] ?? (Object.hasOwn(messages, type) ? 'message' : type)) as Form
}

type GoTypeNames = Readonly<Record<string, Readonly<Record<string, string | [string, string]>>>>

let goTypes: GoTypeNames | undefined
let structOrder: Readonly<Record<string, readonly number[]>> | undefined
let kindMessages: ReadonlySet<string> | undefined

function makePlan(message: string): MessagePlan {
  const fields: FieldPlan[] = []
  if (isKindMessage(message)) fields.push(typeMetaField('kind'), typeMetaField('apiVersion'))
  addFields(fields, message, '')
  const goType = defaultGoType(message)
  const indexByName = new Map(fields.map((field, index) => [field.name, index]))
  return { structName: goType.slice(goType.indexOf('.') + 1), goType, fields, indexByName }
}

/** Structs that are kinds have TypeMeta, which protobuf keeps outside of the object. */
function isKindMessage(message: string): boolean {
  kindMessages ??= new Set(Object.values(builtinData.proto().kinds).flatMap(Object.values<string>))
  return kindMessages.has(message)
}

function typeMetaField(name: string): FieldPlan {
  return {
    name,
    errorName: `TypeMeta.${name}`,
    shape: 'single',
    form: 'string',
    message: '',
    pointer: false,
    always: false,
    keepsEmpty: false,
    goType: 'string',
    itemGoType: 'string',
  }
}

function addFields(fields: FieldPlan[], message: string, embedded: string): void {
  structOrder ??= JSON.parse(structOrderText) as Readonly<Record<string, readonly number[]>>
  const table = builtinData.proto().messages[message] ?? {}
  for (const number of structOrder[message] ?? Object.keys(table)) {
    const field = table[number]
    if (field === undefined) continue
    if (field.inline === true) {
      const name = field.type.slice(field.type.lastIndexOf('.') + 1)
      addFields(fields, field.type, `${embedded}${name}.`)
    } else fields.push(fieldPlan(field, message, embedded))
  }
}

function fieldPlan(field: ProtoField, message: string, embedded: string): FieldPlan {
  goTypes ??= JSON.parse(goTypesText) as GoTypeNames
  const shape = field.map !== undefined ? 'map' : field.repeated === true ? 'list' : 'single'
  const form = formOf(field.type)
  const named = goTypes[message]?.[field.name]
  const [goType, itemGoType] = goTypeNames(shape, defaultGoType(field.type), named)
  return {
    name: field.name,
    errorName: embedded + field.name,
    shape,
    form,
    message: form === 'message' || form.startsWith('schemaOr') ? field.type : '',
    pointer: field.pointer === true,
    always: field.always === true,
    keepsEmpty: keptWhenEmpty.has(`${message}.${field.name}`),
    goType,
    itemGoType,
  }
}

function goTypeNames(
  shape: FieldPlan['shape'],
  item: string,
  named: string | [string, string] | undefined,
): [string, string] {
  if (Array.isArray(named)) return named
  if (shape === 'single') return [named ?? item, named ?? item]
  if (named === undefined) return [shape === 'list' ? `[]${item}` : `map[string]${item}`, item]
  const unwrapped = named.replace(/^(?:\[\]|map\[[^\]]*\])\*?/, '')
  return [named, unwrapped === named ? item : unwrapped]
}

function defaultGoType(type: string): string {
  if (type === 'double') return 'float64'
  if (type === 'bytes') return '[]uint8'
  const parts = type.split('.')
  return parts.slice(-2).join('.')
}

import { invariant } from '../errors/index.ts'
import type { MessageTable } from './message-table.ts'

/** The letters of a table; `s` is the omitted default. */
type FieldType =
  's' | 'i' | 'b' | 'f' | 'y' | 'q' | 'o' | 't' | 'u' | 'd' | 'j' | 'l' | 'm' | 'A' | 'B' | 'S'

/** One field, prepared for decoding. */
export interface FieldPlan {
  readonly number: number
  readonly name: string
  readonly type: FieldType
  /** The only wire type of its values: 0 varint, 1 eight bytes, 2 with a length. */
  readonly wire: number
  /** A list, a map, inlined fields of the outer object, or a single value. */
  readonly shape: '*' | '%' | '^' | ''
  /** Whether a zero value is printed. */
  readonly keepsZero: boolean
  /** The message of the field. */
  readonly message: MessagePlan | undefined
}

/**
 * Objects of one message start with the same hidden class, which makes filling them much faster.
 */
type ObjectMaker = new () => Record<string, unknown>

/** A message, prepared for decoding. */
export interface MessagePlan {
  readonly table: MessageTable
  /** By field number. Compiled on first use: most messages of a kind are rare. */
  fields: readonly (FieldPlan | undefined)[] | undefined
  /** Fields that are printed as null when they were not sent. */
  nulls: readonly string[]
  /** See `pathTo`. */
  readonly paths: Map<string, readonly FieldPlan[]>
  /** The apiVersion and kind of a nested object, which protobuf omits. */
  readonly identity: { readonly apiVersion: string; readonly kind: string } | undefined
  readonly Maker: ObjectMaker
}

const plans = new WeakMap<MessageTable, MessagePlan>()

/** The plan of a table, made once. A plan with an identity is not cached: the caller keeps it. */
export function planOf(table: MessageTable, identity?: MessagePlan['identity']): MessagePlan {
  if (identity !== undefined) return newPlan(table, identity)
  const known = plans.get(table)
  if (known !== undefined) return known
  const plan = newPlan(table, undefined)
  plans.set(table, plan)
  return plan
}

/** The fields of a message by number. */
export function fieldsOf(plan: MessagePlan): readonly (FieldPlan | undefined)[] {
  return plan.fields ?? compiled(plan)
}

/**
 * The message fields on the path to a field of an object, with the field itself last; the others
 * are inlined. Empty for an unknown field.
 */
export function pathTo(plan: MessagePlan, name: string): readonly FieldPlan[] {
  const known = plan.paths.get(name)
  if (known !== undefined) return known
  const path = findPath(plan, name)
  plan.paths.set(name, path)
  return path
}

function findPath(plan: MessagePlan, name: string): readonly FieldPlan[] {
  for (const field of fieldsOf(plan)) {
    if (field === undefined) continue
    if (field.shape !== '^') {
      if (field.name === name) return [field]
    } else if (field.message !== undefined) {
      const rest = findPath(field.message, name)
      if (rest.length > 0) return [field, ...rest]
    }
  }
  return []
}

function newPlan(table: MessageTable, identity: MessagePlan['identity']): MessagePlan {
  const Maker = function (): void {
    // Empty: what matters is that each message has its own constructor.
  } as unknown as ObjectMaker
  Maker.prototype = Object.prototype
  return { table, fields: undefined, nulls: [], paths: new Map(), identity, Maker }
}

const wordPattern = /^(\d*)([^:]+)(?::([!?*%^]*)(\w?)(?:@(.+)\/(\w+))?)?$/

function compiled(plan: MessagePlan): readonly (FieldPlan | undefined)[] {
  const [text, ...messages] = plan.table
  const fields: (FieldPlan | undefined)[] = []
  const nulls: string[] = []
  plan.fields = fields
  plan.nulls = nulls
  let number = 0
  for (const word of text.match(/\S+/g) ?? []) {
    const [, digits = '', name = '', flags = '', letter = '', apiVersion, kind = ''] =
      wordPattern.exec(word) ?? []
    invariant(name !== '', `a table has the word ${word}`)
    number = digits === '' ? number + 1 : Number(digits)
    while (fields.length < number) fields.push(undefined)
    const identity = apiVersion === undefined ? undefined : { apiVersion, kind }
    const message = messageOf(plan, letter, { messages, identity })
    const type = (letter === 'r' ? 'm' : letter === '' ? 's' : letter) as FieldType
    const [shape = ''] = /[*%^]/.exec(flags) ?? []
    fields.push({
      number,
      name,
      type,
      wire: shape === '%' ? 2 : wireOf(type),
      shape: shape as FieldPlan['shape'],
      keepsZero: /[!?]/.test(flags),
      message,
    })
    const mayBeNull = /[?*%]/.test(flags) || type === 'y'
    if (flags.includes('!') && mayBeNull) nulls.push(name)
  }
  return fields
}

/** The message of a field: the next one of the table, or the enclosing one. */
function messageOf(
  plan: MessagePlan,
  letter: string,
  given: { readonly messages: MessageTable[]; readonly identity: MessagePlan['identity'] },
): MessagePlan | undefined {
  if (/[rABS]/.test(letter)) return plan
  if (letter !== 'm') return undefined
  const table = given.messages.shift()
  invariant(table !== undefined, 'a table names fewer messages than it has')
  return planOf(table, given.identity)
}

function wireOf(type: FieldType): number {
  return type === 'i' || type === 'b' ? 0 : type === 'f' ? 1 : 2
}

import { builtinData, type ProtoField } from '../../data/index.ts'
import { formOf, type Form } from '../typed/type-plan.ts'

/** One field of a message, for encoding. */
export interface WireField {
  readonly number: number
  /** The JSON name; empty for an inline field. */
  readonly name: string
  readonly shape: 'single' | 'list' | 'map' | 'inline'
  readonly form: Form
  /** The name of the message, for messages. */
  readonly type: string
  /** Not written when absent; a field that is not a pointer is written as zero. */
  readonly isOptional: boolean
  /** For maps: the value of an entry, which is a message. */
  readonly entryValue: WireField | undefined
}

const plans = new Map<string, readonly WireField[]>()

/** The fields of a message, last one first, because the writer starts at the end. */
export function wirePlan(message: string): readonly WireField[] {
  let plan = plans.get(message)
  if (plan === undefined) plans.set(message, (plan = makePlan(message)))
  return plan
}

function makePlan(message: string): readonly WireField[] {
  const table = builtinData.proto().messages[message] ?? {}
  return Object.keys(table)
    .map(Number)
    .sort((a, b) => b - a)
    .flatMap((number) => {
      const field = table[number]
      return field === undefined ? [] : [wireField(number, field)]
    })
}

function wireField(number: number, field: ProtoField): WireField {
  const form = formOf(field.type)
  const single: WireField = {
    number,
    name: field.name,
    shape: shapeOf(field),
    form,
    type: field.type,
    // Nil bytes are omitted although they are not a pointer.
    isOptional: field.pointer === true || form === 'bytes',
    entryValue: undefined,
  }
  if (single.shape !== 'map') return single
  return { ...single, entryValue: { ...single, number: 2, shape: 'single' } }
}

function shapeOf(field: ProtoField): WireField['shape'] {
  if (field.inline === true) return 'inline'
  if (field.map !== undefined) return 'map'
  return field.repeated === true ? 'list' : 'single'
}

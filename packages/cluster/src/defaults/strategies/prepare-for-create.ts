import type { JsonObject } from 'setpoint/schema'
import { emptyValueOf } from '../../codec/index.ts'
import { metadataOf } from '../../object/index.ts'
import { dropDisabledFields } from './disabled-fields.ts'
import { keepField, objectAt, valueAt } from './field-access.ts'
import type { ChangedObject, NewObject, Strategy } from './strategy.ts'
import { strategies } from './strategies.ts'
import { raiseGeneration } from './raise-generation.ts'
import { semanticEquals, strictlyEquals } from './semantic-equals.ts'

/** The kind of an object. */
interface PreparedKind {
  readonly group: string
  readonly apiVersion: string
  readonly kind: string
}

const nothing: Strategy = {}

function strategyOf({ group, kind }: PreparedKind): Strategy {
  return strategies.get(`${group}/${kind}`) ?? nothing
}

/**
 * Sets the server's fields of a new object, in place: an empty status, the first generation, and
 * the fields of its kind. Runs after mutating admission and after name and uid are set, before
 * validation.
 */
export function prepareForCreate(input: PreparedKind & NewObject): void {
  const strategy = strategyOf(input)
  const { object } = input
  if (strategy.status === 'wiped') {
    const status = strategy.emptyStatus?.(input) ?? emptyValueOf(input, 'status')
    if (status === undefined) Reflect.deleteProperty(object, 'status')
    else object['status'] = status
  }
  if (strategy.startsGeneration === true) metadataOf(object).generation = 1
  dropDisabledFields(input.kind, object)
  strategy.onCreate?.(input)
}

/**
 * Restores what the server keeps of the old object and sets the generation, in place. `subresource`
 * is empty for the object itself; the status and other subresources have their own rules.
 */
export function prepareForUpdate(
  input: PreparedKind & ChangedObject & { readonly subresource?: string },
): void {
  const { subresource = '', object, old } = input
  if (subresource === 'status') {
    prepareForStatusUpdate(input)
    return
  }
  const strategy = strategyOf(input)
  keepField(objectAt(object, 'metadata'), objectAt(old, 'metadata'), 'generation')
  if (subresource !== '') {
    strategy.subresources?.[subresource]?.(input)
    return
  }
  if (strategy.status !== undefined) keepField(object, old, 'status')
  if (strategy.countsDisabledFields === true) countChange(strategy, object, old)
  dropDisabledFields(input.kind, object, old)
  strategy.onUpdate?.(input)
  if (strategy.countsDisabledFields !== true) countChange(strategy, object, old)
}

/** Restores the fields that a write of `/status` cannot change, in place. */
function prepareForStatusUpdate(input: PreparedKind & ChangedObject): void {
  const strategy = strategyOf(input)
  const { object, old } = input
  keepField(object, old, 'spec')
  const metadata = objectAt(object, 'metadata')
  for (const key of ['generation', ...(strategy.metadataKeptByStatus ?? [])]) {
    keepField(metadata, objectAt(old, 'metadata'), key)
  }
  strategy.onStatusUpdate?.(input)
}

function countChange(strategy: Strategy, object: JsonObject, old: JsonObject): void {
  const equals = strategy.comparesStrictly === true ? strictlyEquals : semanticEquals
  const isChanged = (strategy.generationOf ?? []).some(
    (path) => !equals(valueAt(object, path), valueAt(old, path)),
  )
  if (isChanged) raiseGeneration(object, old)
}

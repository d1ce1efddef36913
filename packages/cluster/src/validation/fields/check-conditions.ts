import type { Condition } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkQualifiedName } from './check-label-selector.ts'
import { byteLength, regexProblem } from './name-rules.ts'

const statuses = ['False', 'True', 'Unknown']
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const reasonRegExp = new RegExp(`^${reasonPattern}$`)
const reasonProblem = regexProblem(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonPattern,
  ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
)

/** Checks conditions of the type `metav1.Condition`. */
export function checkConditions(conditions: readonly Decoded<Condition>[], at: FieldPath): void {
  const seen = new Set<string>()
  for (const [index, condition] of conditions.entries()) {
    const { type = '' } = condition
    if (seen.has(type)) at.index(index).duplicate(type)
    seen.add(type)
    checkCondition(condition, at.index(index))
  }
}

function checkCondition(condition: Decoded<Condition>, at: FieldPath): void {
  const { type = '', status = '', observedGeneration = 0, reason = '', message = '' } = condition
  if (type === '') at.child('type').required('is required')
  else checkQualifiedName(type, at.child('type'))
  if (status === '') at.child('status').required()
  else if (!statuses.includes(status)) at.child('status').notSupported(status, statuses)
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero'
    at.child('observedGeneration').invalid(observedGeneration, detail)
  }
  if ((condition.lastTransitionTime ?? '') === '') at.child('lastTransitionTime').required()
  if (reason === '') at.child('reason').required()
  else {
    if (!reasonRegExp.test(reason)) at.child('reason').invalid(reason, reasonProblem)
    if (byteLength(reason) > 1024) at.child('reason').tooLong(1024)
  }
  if (byteLength(message) > 32 * 1024) at.child('message').tooLong(32 * 1024)
}

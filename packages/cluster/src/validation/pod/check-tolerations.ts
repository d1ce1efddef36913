import type { Toleration } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkQualifiedName } from '../fields/check-label-selector.ts'
import { labelValueProblems } from '../fields/name-rules.ts'

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Checks the effect of a taint. */
export function checkTaintEffect(effect: string, at: FieldPath): void {
  if (effect === '') at.required()
  else if (!effects.includes(effect)) at.notSupported(effect, effects)
}

/** Checks the tolerations of a pod. */
export function checkTolerations(tolerations: readonly Decoded<Toleration>[], at: FieldPath): void {
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration
    const place = at.index(index)
    if (key !== '') checkQualifiedName(key, place.child('key'))
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      place.child('operator').invalid(operator, detail)
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
      place.child('effect').invalid(effect, detail)
    }
    checkOperator(operator, value, place.child('operator'))
    if (effect !== '') checkTaintEffect(effect, place.child('effect'))
  }
}

function checkOperator(operator: string, value: string, at: FieldPath): void {
  if (operator === 'Equal' || operator === '') {
    const problems = labelValueProblems(value)
    if (problems.length > 0) at.invalid(value, problems.join(';'))
  } else if (operator === 'Exists') {
    if (value !== '') at.invalid(value, "value must be empty when `operator` is 'Exists'")
  } else if (operator === 'Lt' || operator === 'Gt') {
    at.notSupported(operator, ['Equal', 'Exists', 'Lt', 'Gt'])
  } else at.notSupported(operator, ['Equal', 'Exists'])
}

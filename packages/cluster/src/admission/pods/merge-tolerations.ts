import { jsonEquals } from 'setpoint/schema'
import { requestTooLarge } from '../../status/index.ts'

/** A toleration of a pod. */
export interface Toleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}

/** Every toleration is compared with every other one. */
const tolerationsMax = 1_000

/** Drops tolerations that another one includes, and keeps the first of equal ones. */
export function mergeTolerations(all: readonly Toleration[]): Toleration[] {
  if (all.length > tolerationsMax) {
    throw requestTooLarge(
      `the pod has ${all.length} tolerations: the embedded server allows ${tolerationsMax}`,
    )
  }
  const merged: Toleration[] = []
  for (const [index, toleration] of all.entries()) {
    const isCovered =
      merged.some((kept) => covers(kept, toleration)) ||
      all.slice(index + 1).some((later) => !isSame(later, toleration) && covers(later, toleration))
    if (!isCovered) merged.push(toleration)
  }
  return merged
}

function isSame(left: Toleration, right: Toleration): boolean {
  return jsonEquals(left, right)
}

/** Whether `wide` tolerates everything that `narrow` tolerates. */
function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isSame(wide, narrow)) return true
  const { key = '', operator = 'Equal', value = '', effect = '', tolerationSeconds } = wide
  const isAnyKey = key === '' && operator === 'Exists'
  if ((narrow.key ?? '') !== key && !isAnyKey) return false
  if ((narrow.effect ?? '') !== effect && effect !== '') return false
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    const seconds = narrow.tolerationSeconds
    if (seconds === undefined || seconds > tolerationSeconds) return false
  }
  if (operator === 'Exists') return true
  if (operator !== 'Equal') return false
  // Only an explicit Equal is compared by value.
  return narrow.operator === 'Equal' && (narrow.value ?? '') === value
}

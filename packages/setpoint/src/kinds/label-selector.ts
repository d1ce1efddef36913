import type { LabelSelector as ApiLabelSelector } from './generated/meta-v1.ts'

type Labels = Readonly<Record<string, string>>

/** A label selector as in workloads, mutable or read-only. */
export interface LabelSelector {
  readonly matchLabels?: Labels | undefined
  readonly matchExpressions?:
    | readonly (Readonly<
        Omit<NonNullable<ApiLabelSelector['matchExpressions']>[number], 'values'>
      > & {
        readonly values?: readonly string[] | undefined
      })[]
    | undefined
}

/**
 * Whether a selector of a workload, a budget or a policy matches an object with these labels. An
 * empty selector matches everything, a missing one nothing. Plain labels, as in services, match
 * objects that have all of them.
 */
export function selects(
  selector: LabelSelector | Labels | undefined,
  labels: Labels = {},
): boolean {
  if (selector === undefined) return false
  const { matchLabels = {}, matchExpressions = [] } = asSelector(selector)
  for (const name in matchLabels) if (labels[name] !== matchLabels[name]) return false
  return matchExpressions.every(({ key, operator, values = [] }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    if (operator === 'Exists') return value !== undefined
    if (operator === 'DoesNotExist') return value === undefined
    const isAmong = value !== undefined && values.includes(value)
    return operator === 'In' ? isAmong : !isAmong
  })
}

/** Plain labels as a selector. */
export function asSelector(selector: LabelSelector | Labels): LabelSelector {
  const isSelector =
    typeof selector['matchLabels'] === 'object' || typeof selector['matchExpressions'] === 'object'
  return isSelector ? selector : { matchLabels: selector as Labels }
}

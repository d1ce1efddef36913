import type { Job, Observed, Pod } from 'setpoint/kinds'

type Policy = NonNullable<Job['spec']['podFailurePolicy']>
type Rule = Observed<Policy['rules'][number]>

/** The effect of the Job's pod failure policy on a failed pod. */
interface FailurePolicyResult {
  /** The action of the first matching rule; without one the failure counts normally. */
  readonly action?: Policy['rules'][number]['action']
  /** Whether it counts towards the limits of the Job and of its index. */
  readonly isCounted: boolean
  /** Why the whole Job fails, if it does. */
  readonly message?: string
}

/** Applies the first rule that matches. */
export function applyFailurePolicy(
  policy: Observed<Policy> | undefined,
  pod: Observed<Pod>,
): FailurePolicyResult {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod)
    if (match === undefined || rule.action === undefined) continue
    const { action } = rule
    if (action === 'FailJob') {
      const message = `${match} matching FailJob rule at index ${index}`
      return { action, isCounted: true, message }
    }
    return { action, isCounted: action !== 'Ignore' }
  }
  return { isCounted: true }
}

/** A description of the match; `undefined` if the rule does not match. */
function matchOf({ onExitCodes, onPodConditions }: Rule, pod: Observed<Pod>): string | undefined {
  const { namespace, name } = pod.metadata ?? {}
  const { containerStatuses, initContainerStatuses, conditions } = pod.status ?? {}
  if (onExitCodes !== undefined) {
    const { containerName, operator, values = [] } = onExitCodes
    for (const status of [...(containerStatuses ?? []), ...(initContainerStatuses ?? [])]) {
      const code = status.state?.terminated?.exitCode
      if (code === undefined || code === 0) continue
      if (containerName !== undefined && containerName !== status.name) continue
      if (values.includes(code) !== (operator === 'In')) continue
      return `Container ${status.name} for pod ${namespace}/${name} failed with exit code ${code}`
    }
    return undefined
  }
  const condition = conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status),
  )
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`
}

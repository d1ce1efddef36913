import type { Job, Observed, Pod } from 'setpoint/kinds'

type Policy = NonNullable<Job['spec']['podFailurePolicy']>
type Rule = Observed<Policy['rules'][number]>

/** What a Job's policy makes of the failure of one of its pods. */
interface FailureVerdict {
  /** The rule's action; without one no rule matched and the failure counts like any other. */
  readonly action?: Policy['rules'][number]['action']
  /** Whether it counts towards the limits of the Job and of its index. */
  readonly isCounted: boolean
  /** Why the whole Job fails, if it does. */
  readonly message?: string
}

/** The first rule that matches decides. */
export function judgeFailure(
  policy: Observed<Policy> | undefined,
  pod: Observed<Pod>,
): FailureVerdict {
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

/** What matched, in words, or nothing. */
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

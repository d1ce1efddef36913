import { SetpointError } from 'setpoint'
import { isJsonObject, type JsonValue } from 'setpoint/schema'
import { auditLevels, type AuditPolicy, auditStages } from './audit-policy.ts'

function policyError(problems: readonly string[]): SetpointError {
  return new SetpointError(
    'CLUSTER_AUDIT_POLICY_INVALID',
    `the audit policy is not valid: ${problems.join('; ')}`,
  )
}

/** Checks the content of a policy file; throws `CLUSTER_AUDIT_POLICY_INVALID` with all problems. */
export function checkAuditPolicy(value: JsonValue): AuditPolicy {
  if (!isJsonObject(value)) throw policyError(['it must be an object with rules'])
  const policy = value as unknown as AuditPolicy
  const { apiVersion = 'audit.k8s.io/v1', kind = 'Policy', rules = [] } = policy
  const problems: string[] = []
  if (apiVersion !== 'audit.k8s.io/v1' || kind !== 'Policy') {
    problems.push(`expected an audit.k8s.io/v1 Policy, not a ${apiVersion} ${kind}`)
  }
  if (rules.length === 0) problems.push('rules: Required value: a policy needs at least one rule')
  problems.push(...stageProblems(policy.omitStages, 'omitStages'))
  for (const [index, rule] of rules.entries()) {
    const at = `rules[${index}]`
    if (!auditLevels.includes(rule.level)) {
      problems.push(notSupported(`${at}.level`, rule.level, auditLevels))
    }
    problems.push(...stageProblems(rule.omitStages, `${at}.omitStages`))
    const hasUrls = (rule.nonResourceURLs ?? []).length > 0
    if (hasUrls && ((rule.resources ?? []).length > 0 || (rule.namespaces ?? []).length > 0)) {
      problems.push(
        `${at}.nonResourceURLs: Invalid value: rules cannot apply to both regular resources and non-resource URLs`,
      )
    }
  }
  if (problems.length > 0) throw policyError(problems)
  return { ...policy, rules }
}

function stageProblems(stages: AuditPolicy['omitStages'], at: string): string[] {
  return (stages ?? []).flatMap((stage, index) =>
    auditStages.includes(stage) ? [] : [notSupported(`${at}[${index}]`, stage, auditStages)],
  )
}

function notSupported(at: string, value: unknown, supported: readonly string[]): string {
  if (value === undefined) return `${at}: Required value`
  const shown = supported.map((text) => JSON.stringify(text)).join(', ')
  return `${at}: Unsupported value: ${JSON.stringify(value)}: supported values: ${shown}`
}

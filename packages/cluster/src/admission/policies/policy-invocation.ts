import type { JsonObject } from 'setpoint/schema'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { type Invocation, invocationOf } from '../webhooks/invocation.ts'
import type { MatchResources, PolicyRule } from './bound-policy.ts'

/**
 * A write in the version that a policy or a binding names; `undefined` if it is not about the
 * write.
 */
export function policyInvocation(
  match: MatchResources,
  attributes: AdmissionAttributes,
  cluster: ClusterReader,
): Invocation | undefined {
  const { resourceRules = [], excludeResourceRules = [], ...rest } = match
  const about = (rules: readonly PolicyRule[]): Invocation | undefined =>
    invocationOf({ ...rest, rules: named(rules, attributes.name) }, attributes, cluster)
  if (excludeResourceRules.length > 0 && about(excludeResourceRules) !== undefined) return undefined
  return about(resourceRules)
}

/** Whether a binding restricts its policy to other writes. */
export function bindingMatches(
  match: MatchResources | undefined,
  attributes: AdmissionAttributes,
  cluster: ClusterReader,
): boolean {
  if (match === undefined) return true
  const { resourceRules = [] } = match
  const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }
  const rules = resourceRules.length === 0 ? [everything] : resourceRules
  return policyInvocation({ ...match, resourceRules: rules }, attributes, cluster) !== undefined
}

/** The namespace of a write; a Namespace is in none. */
export function namespaceOfWrite(
  { attributes, invocation }: { attributes: AdmissionAttributes; invocation: Invocation },
  cluster: ClusterReader,
): JsonObject | undefined {
  const { kind, group } = attributes.resource
  if (kind === 'Namespace' && group === '') return undefined
  return cluster.get('/namespaces', invocation.write.namespace)
}

function named(rules: readonly PolicyRule[], name: string): PolicyRule[] {
  return rules.filter(
    ({ resourceNames = [] }) => resourceNames.length === 0 || resourceNames.includes(name),
  )
}

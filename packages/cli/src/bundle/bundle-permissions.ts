import { type AnyOperator, type PolicyRule, rbacFor } from 'setpoint'
import { operatorPermissions } from '../generate/index.ts'

/** A namespace that stands for those of an OperatorGroup. */
const target = 'target-namespace'

/**
 * The rules of a bundle. OLM grants `within` in the namespaces of the OperatorGroup, or in the whole
 * cluster if it selects all namespaces, and `everywhere` always in the whole cluster.
 */
export function bundlePermissions(
  operators: readonly AnyOperator[],
  leaseName: string,
): { readonly everywhere: readonly PolicyRule[]; readonly within: readonly PolicyRule[] } {
  const rights = operatorPermissions(operators, [target])
  const within = rights.within.get(target) ?? []
  return {
    everywhere: [...rights.everywhere.map(unnamed), ...apiRules(operators)],
    within: [...within.map(unnamed), ...rbacFor([], { leaseName })],
  }
}

/** A Role for a namespace cannot allow to read others, so that the name is not needed. */
function unnamed(rule: PolicyRule): PolicyRule {
  if (rule.resourceNames?.includes(target) !== true) return rule
  const { resourceNames: _names, ...others } = rule
  return others
}

/** Aggregated APIs ask whether users may do what they request. OLM grants the rest. */
function apiRules(operators: readonly AnyOperator[]): PolicyRule[] {
  if (!operators.some(({ declaration }) => declaration.api !== undefined)) return []
  return [
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ]
}

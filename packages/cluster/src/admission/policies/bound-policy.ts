import type { AnyLabelSelector } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import type { MutationExpression } from 'setpoint/cel'
import { nameOf } from '../../object/index.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import type { MatchRule } from '../webhooks/webhook.ts'

/** A rule of a policy, which may also name objects. */
export interface PolicyRule extends MatchRule {
  readonly resourceNames?: readonly string[]
}

/** Which writes a policy or a binding is about. */
export interface MatchResources {
  readonly resourceRules?: readonly PolicyRule[]
  readonly excludeResourceRules?: readonly PolicyRule[]
  readonly matchPolicy?: 'Exact' | 'Equivalent'
  readonly namespaceSelector?: AnyLabelSelector
  readonly objectSelector?: AnyLabelSelector
}

/** What both kinds of policies have, with the defaults of the server. */
export interface CommonPolicySpec {
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string }
  readonly matchConstraints?: MatchResources
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[]
  readonly variables?: readonly { readonly name: string; readonly expression: string }[]
  readonly failurePolicy?: 'Fail' | 'Ignore'
}

/** The spec of a ValidatingAdmissionPolicy. */
export interface PolicySpec extends CommonPolicySpec {
  readonly validations?: readonly PolicyValidation[]
  readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[]
}

/** The spec of a MutatingAdmissionPolicy. */
export interface MutatingPolicySpec extends CommonPolicySpec {
  readonly mutations?: readonly MutationExpression[]
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
}

/** One validation of a policy. */
interface PolicyValidation {
  readonly expression: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
}

/** The parameters that a binding selects. */
export interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: AnyLabelSelector
  readonly parameterNotFoundAction?: 'Allow' | 'Deny'
}

/** A binding of a policy. */
export interface PolicyBinding {
  readonly name: string
  readonly policyName: string
  readonly paramRef?: ParamRef
  readonly matchResources?: MatchResources
  readonly validationActions?: readonly ('Audit' | 'Deny' | 'Warn')[]
}

/** A policy with its bindings. */
export interface BoundPolicy<Spec extends CommonPolicySpec = PolicySpec> {
  readonly name: string
  /** The stored policy, to which compiled expressions belong. */
  readonly object: JsonObject
  readonly spec: Spec
  readonly bindings: readonly PolicyBinding[]
}

const group = 'admissionregistration.k8s.io'

/** All policies of a kind that have bindings. */
export function boundPolicies<Spec extends CommonPolicySpec>(
  cluster: ClusterReader,
  kind: 'mutating' | 'validating',
): BoundPolicy<Spec>[] {
  const bindings = new Map<string, PolicyBinding[]>()
  for (const object of cluster.list(`${group}/${kind}admissionpolicybindings`)) {
    const spec = object['spec'] as unknown as Omit<PolicyBinding, 'name'>
    const known = bindings.get(spec.policyName) ?? []
    known.push({ ...spec, name: nameOf(object) })
    bindings.set(spec.policyName, known)
  }
  if (bindings.size === 0) return []
  const policies: BoundPolicy<Spec>[] = []
  for (const object of cluster.list(`${group}/${kind}admissionpolicies`)) {
    const own = bindings.get(nameOf(object))
    if (own === undefined) continue
    const spec = object['spec'] as unknown as Spec
    policies.push({ name: nameOf(object), object, spec, bindings: own })
  }
  return policies
}

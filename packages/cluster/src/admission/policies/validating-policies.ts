import { plainValue } from 'setpoint/cel'
import type { Authorizer } from '../../auth/index.ts'
import type { PolicyPrograms } from '../../expressions/index.ts'
import { ApiError } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { expressionBindings } from '../expression-bindings.ts'
import { type Plugin, refusal } from '../plugin.ts'
import type { Invocation } from '../webhooks/invocation.ts'
import { isExempt } from '../webhooks/reviewed-write.ts'
import { compiledOnce } from './compiled-once.ts'
import { evaluatePolicy, type PolicyFailure } from './evaluate-policy.ts'
import {
  boundPolicies,
  type BoundPolicy,
  type PolicyBinding,
  type PolicySpec,
} from './bound-policy.ts'
import { bindingMatches, namespaceOfWrite, policyInvocation } from './policy-invocation.ts'
import { type FindParamKind, paramsOf, PolicyConfigurationError } from './policy-params.ts'

/** The dependencies of policies. */
export interface PolicyDependencies {
  readonly authorizer: Authorizer
  readonly findParamKind: FindParamKind
}

/** Evaluates ValidatingAdmissionPolicies; the first failure of a binding that denies is the answer. */
export function validatingPolicies(
  cluster: ClusterReader,
  dependencies: PolicyDependencies,
): Plugin {
  const programsOf = compiledOnce()
  return {
    name: 'ValidatingAdmissionPolicy',
    validate(attributes) {
      const policies = boundPolicies<PolicySpec>(cluster, 'validating')
      if (policies.length === 0 || isExempt(attributes)) return
      // All policies are evaluated, because those that warn do so even if another one denies.
      let first: ApiError | undefined
      for (const policy of policies) {
        const { matchConstraints = {} } = policy.spec
        const invocation = policyInvocation(matchConstraints, attributes, cluster)
        if (invocation === undefined) continue
        for (const binding of policy.bindings) {
          if (!bindingMatches(binding.matchResources, attributes, cluster)) continue
          const bound = { policy, binding, attributes, invocation, programs: programsOf(policy) }
          const denied = enforce(bound, () => failuresOf(bound, cluster, dependencies))
          first ??= denied
        }
      }
      if (first !== undefined) throw first
    },
  }
}

interface BoundWrite {
  readonly policy: BoundPolicy
  readonly binding: PolicyBinding
  readonly attributes: AdmissionAttributes
  readonly invocation: Invocation
  readonly programs: PolicyPrograms
}

function failuresOf(
  { policy, binding, attributes, invocation, programs }: BoundWrite,
  cluster: ClusterReader,
  { authorizer, findParamKind }: PolicyDependencies,
): PolicyFailure[] {
  const { namespace } = invocation.write
  const matched = { attributes, invocation }
  const bindings = expressionBindings(matched, authorizer, namespaceOfWrite(matched, cluster))
  const params = paramsOf(policy.spec, binding.paramRef, { find: findParamKind, namespace })
  return params.flatMap((param) =>
    evaluatePolicy(policy.spec, programs, { ...bindings, params: plainValue(param) }),
  )
}

/**
 * Does what the binding says about failures: deny, warn, or nothing but an audit annotation. A
 * policy that cannot be evaluated denies, unless its failures are ignored.
 */
function enforce(bound: BoundWrite, evaluate: () => PolicyFailure[]): ApiError | undefined {
  const { policy, binding, attributes } = bound
  const { validationActions = [] } = binding
  let failures: PolicyFailure[]
  try {
    failures = evaluate()
  } catch (error) {
    if (!(error instanceof PolicyConfigurationError)) throw error
    if (policy.spec.failurePolicy === 'Ignore') return undefined
    const what = error.isOfBinding ? 'binding' : 'policy'
    const message = `failed to configure ${what}: ${error.message}`
    return denial({ ...bound, binding: error.isOfBinding ? binding : undefined }, { message })
  }
  if (validationActions.includes('Warn')) {
    for (const { message } of failures) {
      attributes.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
      )
    }
  }
  const [first] = failures
  const isDenied = first !== undefined && validationActions.includes('Deny')
  return isDenied ? denial(bound, first) : undefined
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
}

function denial(
  {
    policy,
    binding,
    attributes,
  }: Pick<BoundWrite, 'policy' | 'attributes'> & { readonly binding: PolicyBinding | undefined },
  { message, reason = 'Invalid' }: PolicyFailure,
): ApiError {
  const by = binding === undefined ? '' : ` with binding '${binding.name}'`
  const text = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`
  const { status } = refusal(attributes, text)
  return new ApiError({
    code: codes[reason] ?? 422,
    reason,
    message: status.message ?? text,
    details: { ...status.details, causes: [{ message: text }] },
  })
}

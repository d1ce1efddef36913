import { plainValue, type PolicyPrograms } from 'setpoint/cel'
import type { Authorizer } from '../../auth/index.ts'
import { encodeJson } from '../../codec/index.ts'
import { ApiError } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { AdmissionMeter } from '../admission-meter.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { expressionBindings } from '../expression-bindings.ts'
import { type Plugin, refusal } from '../plugin.ts'
import { inMatchedVersion, type Invocation } from '../webhooks/invocation.ts'
import { isExempt } from '../webhooks/reviewed-write.ts'
import { compiledOnce } from './compiled-once.ts'
import { evaluatePolicy, type PolicyFailure, type PolicyResult } from './evaluate-policy.ts'
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
  readonly meter: AdmissionMeter
}

/** Evaluates ValidatingAdmissionPolicies; the first failure of a binding that denies is the answer. */
export function validatingPolicies(
  cluster: ClusterReader,
  dependencies: PolicyDependencies,
): Plugin {
  const programsOf = compiledOnce()
  return {
    name: 'ValidatingAdmissionPolicy',
    async validate(attributes) {
      const policies = boundPolicies<PolicySpec>(cluster, 'validating')
      if (policies.length === 0 || isExempt(attributes)) return
      // All policies are evaluated, because those that warn do so even if another one denies.
      let first: ApiError | undefined
      for (const policy of policies) {
        const { matchConstraints = {} } = policy.spec
        const found = policyInvocation(matchConstraints, attributes, cluster)
        if (found === undefined) continue
        const invocation = await inMatchedVersion(found)
        const annotations = new Annotations()
        for (const binding of policy.bindings) {
          if (!bindingMatches(binding.matchResources, attributes, cluster)) continue
          const { meter } = dependencies
          const programs = programsOf(policy)
          const bound = { policy, binding, attributes, invocation, programs, meter }
          const denied = await enforce(bound, annotations, () =>
            resultsOf(bound, cluster, dependencies),
          )
          first ??= denied
        }
        annotations.publish(policy.name, attributes)
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
  readonly meter: AdmissionMeter
}

async function resultsOf(
  { policy, binding, attributes, invocation, programs }: BoundWrite,
  cluster: ClusterReader,
  { authorizer, findParamKind }: PolicyDependencies,
): Promise<PolicyResult[]> {
  const { namespace } = invocation.write
  const matched = { attributes, invocation }
  const bindings = expressionBindings(matched, authorizer, namespaceOfWrite(matched, cluster))
  const params = await paramsOf(policy.spec, binding.paramRef, { find: findParamKind, namespace })
  return params.map((param) =>
    evaluatePolicy(policy.spec, programs, { ...bindings, params: plainValue(param) }),
  )
}

/**
 * Does what the binding says about failures: deny, warn, or nothing but an audit annotation. A
 * policy that cannot be evaluated denies, unless its failures are ignored.
 */
async function enforce(
  bound: BoundWrite,
  annotations: Annotations,
  evaluate: () => Promise<PolicyResult[]>,
): Promise<ApiError | undefined> {
  const { policy, binding, meter } = bound
  const { validationActions = [] } = binding
  const startMs = meter.nowMs()
  let results: PolicyResult[]
  try {
    results = await evaluate()
  } catch (error) {
    if (!(error instanceof PolicyConfigurationError)) throw error
    if (policy.spec.failurePolicy === 'Ignore') return undefined
    const what = error.isOfBinding ? 'binding' : 'policy'
    const message = `failed to configure ${what}: ${error.message}`
    return denial({ ...bound, binding: error.isOfBinding ? binding : undefined }, message)
  }
  let first: ApiError | undefined
  for (const result of results) {
    for (const failure of result.failures) {
      report(bound, failure)
      for (const action of validationActions) {
        const metered = { policy: policy.name, binding: binding.name, startMs }
        meter.policy({ ...metered, problem: failure.message, action: actionNames[action] })
      }
      if (validationActions.includes('Deny'))
        first ??= denial(bound, failure.message, failure.reason)
    }
    for (const { key, value } of result.annotations) annotations.add(key, value)
    for (const message of result.annotationErrors) first ??= denial(bound, message)
  }
  return first
}

const actionNames = { Audit: 'audit', Deny: 'deny', Warn: 'warn' } as const

function report({ policy, binding, attributes }: BoundWrite, failure: PolicyFailure): void {
  const { validationActions = [] } = binding
  const { message, index } = failure
  if (validationActions.includes('Warn')) {
    attributes.warn(
      `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
    )
  }
  if (attributes.annotate === undefined || !validationActions.includes('Audit')) return
  const value = {
    message,
    policy: policy.name,
    binding: binding.name,
    expressionIndex: index,
    validationActions: [...validationActions],
  }
  attributes.annotate('validation.policy.admission.k8s.io/validation_failure', encodeJson([value]))
}

const annotationCharactersMax = 10 * 1024

/** The audit annotations of all bindings of a policy. */
class Annotations {
  readonly #values = new Map<string, Set<string>>()

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set()
    values.add(value.slice(0, annotationCharactersMax))
    this.#values.set(key, values)
  }

  publish(policy: string, { annotate }: AdmissionAttributes): void {
    if (annotate === undefined) return
    for (const [key, values] of this.#values) annotate(`${policy}/${key}`, [...values].join(', '))
  }
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
  message: string,
  reason = 'Invalid',
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

import type { JsonObject } from 'setpoint/schema'
import type { PolicyPrograms } from 'setpoint/cel'
import { metadataOf } from '../../object/index.ts'
import { ApiError } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import type { MutationPass } from '../mutation-pass.ts'
import { type Plugin, refusal } from '../plugin.ts'
import type { Invocation } from '../webhooks/invocation.ts'
import { isExempt } from '../webhooks/reviewed-write.ts'
import {
  boundPolicies,
  type BoundPolicy,
  type MutatingPolicySpec,
  type PolicyBinding,
} from './bound-policy.ts'
import { compiledOnce } from './compiled-once.ts'
import { runMutations } from './run-mutations.ts'
import { bindingMatches, namespaceOfWrite, policyInvocation } from './policy-invocation.ts'
import { paramsOf, PolicyConfigurationError } from './policy-params.ts'
import type { PolicyDependencies } from './validating-policies.ts'
import { VersionStates } from './version-states.ts'

type MutatingPolicy = BoundPolicy<MutatingPolicySpec>

/** A problem of a policy; its failure policy decides whether the write is refused. */
interface PolicyProblem {
  readonly policy: MutatingPolicy
  readonly binding?: PolicyBinding
  readonly message: string
  readonly reason?: string
}

/** A policy with one of its bindings and one parameter. */
interface PolicyCall {
  readonly policy: MutatingPolicy
  readonly binding: PolicyBinding
  readonly invocation: Invocation
  readonly param: JsonObject | null
}

/**
 * Changes objects by MutatingAdmissionPolicies, one after the other. After that all mutating plugins
 * run once more, and policies run again if their reinvocation policy allows it.
 */
export function mutatingPolicies(cluster: ClusterReader, dependencies: PolicyDependencies): Plugin {
  const programsOf = compiledOnce()
  return {
    name: 'MutatingAdmissionPolicy',
    async mutate(attributes, pass) {
      const policies = boundPolicies<MutatingPolicySpec>(cluster, 'mutating')
      if (policies.length === 0 || isExempt(attributes)) return
      if (attributes.operation === 'DELETE') return
      const write = { attributes, cluster, dependencies }
      const { calls, problems } = await callsOf(policies, write)
      if (calls.length > 0) {
        problems.push(...(await runCalls(calls, { ...write, pass, programsOf })))
      }
      const denial = denialOf(problems, attributes)
      if (denial !== undefined) throw denial
    },
  }
}

interface PolicyWrite {
  readonly attributes: AdmissionAttributes
  readonly cluster: ClusterReader
  readonly dependencies: PolicyDependencies
}

/** The calls for a write: which policies are about it is decided before the first change. */
async function callsOf(
  policies: readonly MutatingPolicy[],
  { attributes, cluster, dependencies }: PolicyWrite,
): Promise<{ readonly calls: PolicyCall[]; readonly problems: PolicyProblem[] }> {
  const calls: PolicyCall[] = []
  const problems: PolicyProblem[] = []
  for (const policy of policies) {
    const { matchConstraints = {} } = policy.spec
    const invocation = policyInvocation(matchConstraints, attributes, cluster)
    if (invocation === undefined) continue
    const { namespace } = invocation.write
    for (const binding of policy.bindings) {
      if (!bindingMatches(binding.matchResources, attributes, cluster)) continue
      try {
        const place = { find: dependencies.findParamKind, namespace }
        for (const param of await paramsOf(policy.spec, binding.paramRef, place)) {
          calls.push({ policy, binding, invocation, param })
        }
      } catch (error) {
        if (!(error instanceof PolicyConfigurationError)) throw error
        const what = error.isOfBinding ? 'binding' : 'policy'
        const message = `failed to configure ${what}: ${error.message}`
        problems.push({ policy, message, ...(error.isOfBinding ? { binding } : {}) })
        if (!error.isOfBinding) break
      }
    }
  }
  return { calls, problems }
}

async function runCalls(
  calls: readonly PolicyCall[],
  {
    attributes,
    cluster,
    dependencies: { authorizer, meter },
    pass,
    programsOf,
  }: PolicyWrite & {
    readonly pass: MutationPass
    readonly programsOf: (policy: MutatingPolicy) => PolicyPrograms
  },
): Promise<PolicyProblem[]> {
  const problems: PolicyProblem[] = []
  const subject = attributes.subject?.object ?? attributes.object
  const states = new VersionStates(subject, calls)
  pass.policies.begin(subject)
  for (const { policy, binding, invocation, param } of calls) {
    const namespaceObject = namespaceOfWrite({ attributes, invocation }, cluster)
    const id = callId(policy, binding, param)
    const mayCall = pass.policies.mayCall(id)
    const known = { attributes, invocation, param, namespaceObject, authorizer }
    states.enter(invocation)
    const startMs = meter.nowMs()
    const outcome = await runMutations(policy.spec, programsOf(policy), { ...known, mayCall })
    const reason = 'Invalid'
    problems.push(...outcome.problems.map((message) => ({ policy, binding, message, reason })))
    if (!outcome.isCalled) continue
    states.called(outcome.writtenCount > 0)
    const metered = { policy: policy.name, binding: binding.name, startMs }
    for (const problem of outcome.problems) meter.policy({ ...metered, problem })
    for (let count = 0; count < outcome.writtenCount; count += 1) meter.policy(metered)
    if (outcome.isChanged) {
      pass.policies.askAgain()
      pass.requestSecond()
    }
    if (policy.spec.reinvocationPolicy === 'IfNeeded') pass.policies.recordReinvocable(id)
  }
  // A real server repeats after each mutation that worked, even if it changed nothing.
  if (states.finish()) {
    pass.policies.askAgain()
    pass.requestSecond()
  }
  pass.policies.recordOutput(subject)
  return problems
}

function callId(
  { name }: MutatingPolicy,
  binding: PolicyBinding,
  param: JsonObject | null,
): string {
  const { namespace = '', name: paramName = '' } = param === null ? {} : metadataOf(param)
  return [name, binding.name, namespace, paramName].join('/')
}

/** The refusal that has all problems of policies that do not ignore them. */
function denialOf(
  problems: readonly PolicyProblem[],
  attributes: AdmissionAttributes,
): ApiError | undefined {
  const counted = problems.filter(({ policy }) => policy.spec.failurePolicy !== 'Ignore')
  const [first] = counted
  if (first === undefined) return undefined
  const texts = counted.map(problemText)
  const { status } = refusal(attributes, '')
  return new ApiError({
    code: 403,
    reason: first.reason ?? 'Forbidden',
    message: texts[0] ?? '',
    details: { ...status.details, causes: texts.map((message) => ({ message })) },
  })
}

function problemText({ policy, binding, message }: PolicyProblem): string {
  return binding === undefined
    ? `policy "${policy.name}" denied request: ${message}`
    : `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`
}

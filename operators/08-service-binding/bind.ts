import { type DynamicKind, type DynamicObject, type Frozen, type Outcome, when } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { jsonEquals, type JsonObject } from 'setpoint/schema'
import { ClusterWorkloadResourceMapping, type Mapping, mappingFor } from './mapping.ts'
import { ProjectionError } from './paths.ts'
import { inOrderOf, isProjected, project, type Projection, unproject } from './projection.ts'
import { type BindingSecret, type Context, follow, json, kindOf, secretOf } from './references.ts'
import type { Binding } from './service-binding.ts'

/** What happens without a watch event: a CRD or a ClusterRole is added. */
const isLaterPossible = /(NotServed|Forbidden)$/
const recheckAfter = '30s'

/** Projects the Secret of the service into the workloads, and reports the result. */
export async function bind(binding: Binding, ctx: Context): Promise<Outcome> {
  const service = await attempt(async () => secretOf(binding, ctx))
  const workloads = await attempt(async () => projectAll(binding, service.value, ctx))
  const failed = service.problem ?? workloads.problem
  const name = service.value?.name ?? binding.status?.binding?.name
  const condition = (problem: ProjectionError | undefined, reason: string, message: string) =>
    when(problem === undefined, reason, {
      message: problem?.message ?? message,
      ...(problem === undefined ? {} : { otherwise: problem.reason }),
    })
  await ctx.updateStatus({
    observedGeneration: binding.metadata.generation,
    binding: name === undefined ? undefined : { name },
    conditions: {
      Ready: condition(failed, 'Projected', workloads.value ?? ''),
      ServiceAvailable: condition(service.problem, 'ResolvedBindingSecret', `Secret ${name ?? ''}`),
      WorkloadProjected: condition(failed, 'Projected', workloads.value ?? ''),
    },
  })
  return isLaterPossible.test(failed?.reason ?? '') ? { recheckAfter } : undefined
}

/** Removes the projection from all workloads before the binding is deleted. */
export async function unbind(binding: Binding, ctx: Context): Promise<void> {
  const { uid } = binding.metadata
  const { apiVersion, kind: name } = binding.spec.workload
  const kind = await ctx.kindOf(apiVersion, name)
  if (kind?.scope !== 'Namespaced') return
  const workloads = await ctx.follow(kind)
  for (const workload of workloads.filter((one) => isProjected(json(one), uid))) {
    await replace(kind, { before: workload, after: unproject(json(workload), uid) }, ctx)
  }
}

/** Projects into every selected workload, and removes the projection from the others. */
async function projectAll(
  binding: Binding,
  secret: BindingSecret | undefined,
  ctx: Context,
): Promise<string> {
  const { namespace } = binding.metadata
  const { name, selector, ...reference } = binding.spec.workload
  const kind = await kindOf('Workload', reference, ctx)
  const selected = await follow('Workload', { kind, where: { name, labels: selector } }, ctx)
  const uids = new Set(selected.map(({ metadata }) => metadata.uid))
  const mapping = mappingFor(
    ctx.get(ClusterWorkloadResourceMapping, resourceOf(kind)),
    kind.version,
  )
  const projection = secret === undefined ? undefined : projectionOf(binding, secret)
  const problems: ProjectionError[] = []
  for (const workload of ctx.list(kind, namespace)) {
    const chosen = uids.has(workload.metadata.uid) ? projection : 'none'
    const { problem } = await attempt(async () =>
      projectOne(binding, { kind, workload, mapping, chosen }, ctx),
    )
    if (problem !== undefined) problems.push(problem)
  }
  const [first] = problems
  if (first !== undefined) {
    throw new ProjectionError(first.reason, problems.map(({ message }) => message).join('; '))
  }
  if (name !== undefined && selected.length === 0) {
    throw new ProjectionError('WorkloadNotFound', `there is no ${kind.kind} ${name}`)
  }
  return `${selected.length} ${selected.length === 1 ? 'workload' : 'workloads'}`
}

interface Target {
  readonly kind: DynamicKind
  readonly workload: Frozen<DynamicObject>
  readonly mapping: Mapping
  /** `none` removes the projection. Without a Secret, the workload stays as it is. */
  readonly chosen: Projection | 'none' | undefined
}

async function projectOne(binding: Binding, target: Target, ctx: Context): Promise<void> {
  const { kind, workload: before, mapping, chosen } = target
  const { uid } = binding.metadata
  if (chosen === undefined || (chosen === 'none' && !isProjected(json(before), uid))) return
  const title = `${kind.kind} ${before.metadata.name}`
  try {
    const after =
      chosen === 'none'
        ? unproject(json(before), uid)
        : inOrderOf(json(before), project(json(before), chosen, mapping), mapping)
    if (jsonEquals(before, after)) return
    await replace(kind, { before, after }, ctx)
  } catch (error) {
    if (error instanceof ProjectionError) {
      throw new ProjectionError(error.reason, `${title}: ${error.message}`)
    }
    if (!isApiError(error, 'API_FORBIDDEN', 'API_INVALID', 'API_BAD_REQUEST')) throw error
    const reason = error.code === 'API_FORBIDDEN' ? 'WorkloadForbidden' : 'WorkloadRefused'
    throw new ProjectionError(reason, `${title}: ${error.message}`)
  }
}

/** Writes a workload. A conflict is not caught: the next reconcile sees what the others wrote. */
async function replace(
  kind: DynamicKind,
  change: { readonly before: Frozen<DynamicObject>; readonly after: JsonObject },
  ctx: Context,
): Promise<void> {
  try {
    await ctx.update(kind, { ...change.before, ...change.after })
  } catch (error) {
    // It was deleted meanwhile.
    if (!isApiError(error, 'API_NOT_FOUND')) throw error
  }
}

/** What a binding projects. The Secret must have what the projection needs. */
function projectionOf({ metadata, spec }: Binding, { name, keys }: BindingSecret): Projection {
  const { type, provider, env = [], workload } = spec
  const overridden = { type, provider }
  const has = (key: string): boolean =>
    keys.includes(key) || overridden[key as keyof typeof overridden] !== undefined
  const missing = ['type', ...env.map(({ key }) => key)].find((key) => !has(key))
  if (missing !== undefined) {
    const hint = missing === 'type' ? ': set spec.type' : ''
    throw new ProjectionError('KeyMissing', `the Secret ${name} has no key ${missing}${hint}`)
  }
  const directory = spec.name ?? metadata.name
  const { containers } = workload
  return { uid: metadata.uid, name: directory, secret: name, type, provider, env, containers }
}

/** The name of the mapping of a kind, as names of CRDs are. */
function resourceOf({ plural, group }: DynamicKind): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** The result of a step, or why the user has to do something. Other errors are retried. */
async function attempt<T>(
  step: () => Promise<T>,
): Promise<{ readonly value?: T; readonly problem?: ProjectionError }> {
  try {
    return { value: await step() }
  } catch (error) {
    if (error instanceof ProjectionError) return { problem: error }
    throw error
  }
}

import type {
  DynamicKind,
  DynamicObject,
  FollowedObjects,
  Frozen,
  ReconcileContext,
} from 'setpoint'
import { isApiError } from 'setpoint/client'
import { isJsonObject, type JsonObject } from 'setpoint/schema'
import type { ClusterWorkloadResourceMapping } from './mapping.ts'
import { ProjectionError, valueAt } from './paths.ts'
import type { Binding, ServiceBinding } from './service-binding.ts'

/** What the functions of the operator may read and write. */
export type Context = ReconcileContext<
  DynamicKind | typeof ServiceBinding | typeof ClusterWorkloadResourceMapping,
  DynamicKind,
  typeof ServiceBinding
>

/** The Secret of a service, and its keys. */
export interface BindingSecret {
  readonly name: string
  readonly keys: readonly string[]
}

/** What a reference is for; reasons of conditions begin with it. */
type Role = 'Service' | 'Secret' | 'Workload'

interface Reference {
  readonly apiVersion: string
  readonly kind: string
}

/** Finds the Secret of the service of a binding. */
export async function secretOf({ spec }: Binding, ctx: Context): Promise<BindingSecret> {
  const { service } = spec
  const isDirect = service.apiVersion === 'v1' && service.kind === 'Secret'
  const name = isDirect ? service.name : bindingName(await oneOf('Service', service, ctx))
  const secret = await oneOf('Secret', { apiVersion: 'v1', kind: 'Secret', name }, ctx)
  const data = valueAt(json(secret), ['data'])
  return { name, keys: Object.keys(isJsonObject(data) ? data : {}) }
}

/** The name of the Secret of a provisioned service. */
function bindingName(service: Frozen<DynamicObject>): string {
  const name = valueAt(json(service), ['status', 'binding', 'name'])
  if (typeof name === 'string' && name !== '') return name
  const { kind, metadata } = service
  const problem = `${kind} ${metadata.name} has no Secret yet: its status.binding.name is empty`
  throw new ProjectionError('ServiceMissingBinding', problem)
}

/** An object as JSON, whose fields are not typed. */
export function json(object: Frozen<DynamicObject>): JsonObject {
  return object as unknown as JsonObject
}

async function oneOf(
  role: Role,
  { name, ...reference }: Reference & { readonly name: string },
  ctx: Context,
): Promise<Frozen<DynamicObject>> {
  const kind = await kindOf(role, reference, ctx)
  const [object] = await follow(role, { kind, where: { name } }, ctx)
  if (object !== undefined) return object
  throw new ProjectionError(`${role}NotFound`, `there is no ${kind.kind} ${name}`)
}

/** The kind of a reference. Other namespaces are not supported, so it must have a namespace. */
export async function kindOf(
  role: Role,
  { apiVersion, kind: name }: Reference,
  ctx: Context,
): Promise<DynamicKind> {
  const kind = await ctx.kindOf(apiVersion, name)
  if (kind === undefined) {
    const problem = `the cluster has no kind ${name} in ${apiVersion}: is its CRD installed?`
    throw new ProjectionError(`${role}KindNotServed`, problem)
  }
  if (kind.scope === 'Namespaced') return kind
  throw new ProjectionError(`${role}NotNamespaced`, `${name} is not namespaced`)
}

/** Follows objects. Without rights, it says who can give them. */
export async function follow(
  role: Role,
  { kind, where }: { readonly kind: DynamicKind; readonly where: FollowedObjects },
  ctx: Context,
): Promise<Frozen<DynamicObject>[]> {
  try {
    return await ctx.follow(kind, where)
  } catch (error) {
    if (!isApiError(error, 'API_FORBIDDEN')) throw error
    const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
    const problem = `the operator may not read ${resource}: add a ClusterRole with the label servicebinding.io/controller=true`
    throw new ProjectionError(`${role}Forbidden`, problem)
  }
}

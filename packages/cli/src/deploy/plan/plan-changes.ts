import { type Client, isApiError } from 'setpoint/client'
import { CustomResourceDefinition, isTerminating, Namespace } from 'setpoint/kinds'
import { CommandError } from '../../command/index.ts'
import {
  type ClusterObject,
  crdName,
  managedByLabel,
  needsPrometheusOperator,
} from '../../generate/index.ts'
import { conflictsOf, conflictError, type FieldConflict } from './conflicts.ts'
import { fieldDifferences } from './field-differences.ts'
import { objectTitle } from '../object-title.ts'

/** The planned change of an object. */
export interface PlannedChange {
  readonly object: ClusterObject
  /**
   * `foreign`: it exists and was not created by setpoint, so it is not changed. `skip`: the cluster
   * does not serve its kind, and the operators work without it.
   */
  readonly action: 'create' | 'change' | 'unchanged' | 'delete' | 'foreign' | 'skip'
  /** The fields that would change. */
  readonly differences: readonly string[]
}

/** The objects to plan. */
interface PlanRequest {
  readonly objects: readonly ClusterObject[]
  /** Overwrite fields that other field managers own. */
  readonly force: boolean
}

/**
 * Finds by a dry run what applying the objects would change. Refusals, missing permissions and
 * conflicts are known before the first write.
 */
export async function planChanges(
  client: Client,
  { objects, force }: PlanRequest,
): Promise<PlannedChange[]> {
  const missing = await missingNamespaces(client, objects)
  const conflicts: FieldConflict[] = []
  const plan: PlannedChange[] = []
  for (const object of objects) {
    if (await isUnserved(client, object)) {
      plan.push({ object, action: 'skip', differences: [] })
      continue
    }
    try {
      plan.push(await planChange(client, object, { force, missing }))
    } catch (error) {
      const found = conflictsOf(object, error)
      if (found.length === 0) throw error
      conflicts.push(...found)
    }
  }
  if (conflicts.length > 0) throw conflictError(conflicts)
  return plan
}

/** Whether an object for the Prometheus Operator finds no CRD of its kind. */
async function isUnserved(client: Client, { kind }: ClusterObject): Promise<boolean> {
  if (!needsPrometheusOperator(kind)) return false
  return (await client.find(CustomResourceDefinition, crdName(kind))) === undefined
}

async function planChange(
  client: Client,
  object: ClusterObject,
  { force, missing }: { readonly force: boolean; readonly missing: ReadonlySet<string> },
): Promise<PlannedChange> {
  const { kind, manifest } = object
  const { metadata } = manifest
  const { namespace = '' } = metadata
  // A dry run is not possible in a namespace that the plan creates.
  if (missing.has(namespace)) return { object, action: 'create', differences: [] }
  const before = (await client.find(kind, metadata)) as Labelled | undefined
  if (before !== undefined && isForeign(object, before)) {
    return { object, action: 'foreign', differences: [] }
  }
  const after = await dryRun(client, object, force)
  if (before === undefined) return { object, action: 'create', differences: [] }
  const differences = fieldDifferences(before, after)
  return { object, action: differences.length === 0 ? 'unchanged' : 'change', differences }
}

/**
 * An existing namespace of the user is not labelled as ours, because `undeploy` would delete it.
 */
function isForeign({ kind }: ClusterObject, { metadata }: Labelled): boolean {
  return kind === Namespace && metadata.labels?.[managedByLabel] !== 'setpoint'
}

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> }
}

async function dryRun(client: Client, object: ClusterObject, force: boolean): Promise<object> {
  const { kind, manifest } = object
  const { namespace = '', name } = manifest.metadata
  try {
    return (await client.apply(kind, manifest, { force, dryRun: true })) as object
  } catch (error) {
    if (!isApiError(error, 'API_NOT_FOUND') || namespace === '') throw error
    throw new CommandError(
      `there is no namespace ${namespace} for ${objectTitle(kind, { name })}`,
      {
        hint: `create it (kubectl create namespace ${namespace}), or remove it from "watch" in package.json`,
        cause: error,
      },
    )
  }
}

async function missingNamespaces(
  client: Client,
  objects: readonly ClusterObject[],
): Promise<ReadonlySet<string>> {
  const names = objects
    .filter(({ kind }) => kind === Namespace)
    .map(({ manifest }) => manifest.metadata.name)
  const found = await Promise.all(names.map(async (name) => client.find(Namespace, name)))
  const terminating = found.find((each) => each !== undefined && isTerminating(each))
  if (terminating !== undefined) {
    throw new CommandError(`the namespace ${terminating.metadata.name} is terminating`, {
      hint: 'wait until it is deleted (kubectl get namespaces), or use another one: --namespace NAME',
    })
  }
  return new Set(names.filter((_, index) => found[index] === undefined))
}

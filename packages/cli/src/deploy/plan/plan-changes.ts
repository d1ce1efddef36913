import { type Client, isApiError } from 'setpoint/client'
import { Namespace } from 'setpoint/kinds'
import { CommandError } from '../../command/index.ts'
import { type ClusterObject, managedByLabel } from '../../manifests/index.ts'
import { conflictsOf, conflictError, type FieldConflict } from './conflicts.ts'
import { fieldDifferences } from './field-differences.ts'
import { objectTitle } from '../object-title.ts'

/** What would happen to an object. */
export interface PlannedChange {
  readonly object: ClusterObject
  /** `foreign`: it exists and is somebody else's, so it is left alone. */
  readonly action: 'create' | 'change' | 'unchanged' | 'delete' | 'foreign'
  /** The fields that would change. */
  readonly differences: readonly string[]
}

/** What a plan is about. */
interface PlanRequest {
  readonly objects: readonly ClusterObject[]
  /** Take over fields that others own. */
  readonly force: boolean
}

/**
 * Asks the server what applying objects would do, without doing it: a refusal, a missing right or a conflict is
 * known before the first write.
 */
export async function planChanges(
  client: Client,
  { objects, force }: PlanRequest,
): Promise<PlannedChange[]> {
  const missing = await missingNamespaces(client, objects)
  const conflicts: FieldConflict[] = []
  const plan: PlannedChange[] = []
  for (const object of objects) {
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

async function planChange(
  client: Client,
  object: ClusterObject,
  { force, missing }: { readonly force: boolean; readonly missing: ReadonlySet<string> },
): Promise<PlannedChange> {
  const { kind, manifest } = object
  const { metadata } = manifest
  const { namespace = '' } = metadata
  // Nothing can be tried in a namespace that the plan is going to make.
  if (missing.has(namespace)) return { object, action: 'create', differences: [] }
  const before = (await client.find(kind, metadata)) as Labelled | undefined
  if (before !== undefined && isForeign(object, before)) {
    return { object, action: 'foreign', differences: [] }
  }
  const after = await tried(client, object, force)
  if (before === undefined) return { object, action: 'create', differences: [] }
  const differences = fieldDifferences(before, after)
  return { object, action: differences.length === 0 ? 'unchanged' : 'change', differences }
}

/** Somebody's namespace does not become ours by deploying into it: we would delete it one day. */
function isForeign({ kind }: ClusterObject, { metadata }: Labelled): boolean {
  return kind === Namespace && metadata.labels?.[managedByLabel] !== 'setpoint'
}

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> }
}

async function tried(client: Client, object: ClusterObject, force: boolean): Promise<object> {
  const { kind, manifest } = object
  const { namespace = '', name } = manifest.metadata
  try {
    return (await client.apply(kind, manifest, { force, dryRun: true })) as object
  } catch (error) {
    if (!isApiError(error, 'API_NOT_FOUND') || namespace === '') throw error
    throw new CommandError(
      `there is no namespace ${namespace}, which ${objectTitle(kind, { name })} belongs into`,
      {
        hint: `make it (kubectl create namespace ${namespace}), or leave it out of "watch" in package.json`,
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
  const ending = found.find((each) => each?.metadata.deletionTimestamp !== undefined)
  if (ending !== undefined) {
    throw new CommandError(`the namespace ${ending.metadata.name} is being deleted`, {
      hint: 'wait until it is gone (kubectl get namespaces), or deploy to another one: --namespace NAME',
    })
  }
  return new Set(names.filter((_, index) => found[index] === undefined))
}

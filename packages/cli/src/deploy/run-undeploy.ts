import type { Client } from 'setpoint/client'
import { Deployment, Pod } from 'setpoint/kinds'
import { accessCluster, confirmWrites } from '../access/index.ts'
import { type CommandContext, CommandError, type RunCommand } from '../command/index.ts'
import {
  type ClusterObject,
  definitionsOf,
  managedByLabel,
  manifestOptions,
  type ManifestSettings,
  podSelector,
  projectObjects,
} from '../generate/index.ts'
import { loadOperators } from '../project/index.ts'
import { deleteDefinitions, deleteObjects } from './delete-resources.ts'
import { timeoutMs } from './duration-option.ts'
import { namespaceRemoval, removeNamespace } from './namespace-removal.ts'
import { ownedObjects } from './owned-objects.ts'
import { definitionDeletions, reportRemoval, showRemoval } from './removal.ts'
import { installedResources, objectsLeftError, resourceCounts } from './plan/resource-counts.ts'
import { waitForChildren } from './wait-for-children.ts'

/**
 * `setpoint undeploy`: removes operators from a cluster. Objects are deleted first, while the
 * operators still run their cleanup; then the operators, their permissions, the CRDs, and an unused
 * namespace.
 */
export const runUndeploy: RunCommand = async (context, input) => {
  const { project, operators } = await loadOperators(context, input.arguments[0])
  const limitMs = timeoutMs(input)
  const { settings, userRoles } = projectObjects({
    project,
    operators,
    options: manifestOptions(input),
  })
  const access = await accessCluster(context, input)
  const { client } = access
  const resources = await installedResources(client, definitionsOf(operators))
  const [keepsCrds, deletesObjects] = [input.has('keep-crds'), input.has('delete-objects')]
  const counts = await resourceCounts(client, resources)
  const owned = await ownedObjects(client, settings)
  const removed = keepsCrds ? [] : resources
  const roles = keepsCrds ? [] : await existingRoles(client, userRoles)
  const kept = deletesObjects ? [] : resources
  const namespace = await namespaceRemoval(client, settings, kept)
  const objects = [...owned, ...roles, ...definitionDeletions(removed), ...namespace.objects]
  const { notes } = namespace
  const removal = { cluster: access.title, objects, counts, notes, word: 'undeployed' }
  if (counts.length > 0 && !deletesObjects && !keepsCrds) {
    reportRemoval(context, input, { ...removal, isDone: false })
    throw objectsLeftError(counts, ', or keep the CRDs and the objects with --keep-crds')
  }
  showRemoval(context, input, removal)
  if (input.has('dry-run') || objects.length === 0) {
    reportRemoval(context, input, { ...removal, isDone: false })
    return undefined
  }
  await confirmWrites(context, input, { access, what: `undeploy ${settings.name}` })
  const deletion = { client, resources, timeoutMs: limitMs }
  if (deletesObjects) await deleteObjects(context, deletion)
  await stopOperators(context, client, { settings, owned, timeoutMs: limitMs })
  await deleteAll(client, [...owned, ...roles])
  if (!keepsCrds) await waitForChildren(context, { ...deletion, operators })
  await deleteDefinitions(context, { ...deletion, resources: removed })
  await removeNamespace(context, client, { settings, kept, timeoutMs: limitMs })
  reportRemoval(context, input, { ...removal, isDone: true })
  return undefined
}

/** The roles for users have no instance label: they are found by their names. */
async function existingRoles(
  client: Client,
  userRoles: readonly ClusterObject[],
): Promise<ClusterObject[]> {
  const found = await Promise.all(
    userRoles.map(async (role) => {
      const live = (await client.find(role.kind, role.manifest.metadata)) as
        { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } } | undefined
      return live?.metadata.labels?.[managedByLabel] === 'setpoint' ? [role] : []
    }),
  )
  return found.flat()
}

async function deleteAll(client: Client, objects: readonly ClusterObject[]): Promise<void> {
  for (const { kind, manifest } of objects) await client.delete(kind, manifest.metadata)
}

const pollMs = 500

/**
 * Stops the pods before their permissions are removed: they finish their reconciles and release the
 * Lease.
 */
async function stopOperators(
  { host, terminal, signal }: CommandContext,
  client: Client,
  {
    settings,
    owned,
    timeoutMs: limitMs,
  }: {
    readonly settings: ManifestSettings
    readonly owned: readonly ClusterObject[]
    readonly timeoutMs: number
  },
): Promise<void> {
  const deployments = owned.filter(({ kind }) => kind === Deployment)
  if (deployments.length === 0) return
  await deleteAll(client, deployments)
  const endMs = host.monotonicMs() + limitMs
  const selection = { namespace: settings.namespace, labelSelector: podSelector(settings) }
  let isPrinted = false
  while ((await client.listAll(Pod, selection)).length > 0) {
    if (host.monotonicMs() >= endMs) {
      throw new CommandError('the pods of the operators do not stop', {
        hint: `their Deployment was deleted, their permissions were not: check kubectl get pods --namespace ${settings.namespace}, then run this again`,
      })
    }
    if (!isPrinted)
      terminal.printProgress(
        terminal.style.dim('waiting until the pods of the operators have stopped'),
      )
    isPrinted = true
    await host.sleep(pollMs, signal)
  }
}

import type { Client } from 'setpoint/client'
import {
  ConfigMap,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  metadataOf,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import type { CommandContext } from '../command/index.ts'
import {
  type ClusterObject,
  isSystemNamespace,
  managedByLabel,
  type ManifestSettings,
  ownLabels,
} from '../generate/index.ts'
import { objectTitle } from './object-title.ts'
import { type InstalledResource, objectsOf } from './plan/resource-counts.ts'

/** Whether the namespace of the operators is deleted. */
interface NamespaceRemoval {
  readonly objects: readonly ClusterObject[]
  /** Why it is kept. */
  readonly notes: readonly string[]
}

/** A namespace is deleted only if `deploy` created it and it contains no other objects. */
export async function namespaceRemoval(
  client: Client,
  settings: ManifestSettings,
  kept: readonly InstalledResource[],
): Promise<NamespaceRemoval> {
  const { namespace: name } = settings
  const found = await client.find(Namespace, name)
  if (found === undefined) return { objects: [], notes: [] }
  const keep = (why: string): NamespaceRemoval => ({
    objects: [],
    notes: [`Namespace ${name}: ${why}`],
  })
  const labels = found.metadata.labels ?? {}
  if (isSystemNamespace(name)) return keep('every cluster has it')
  if (labels[managedByLabel] !== 'setpoint') return keep('setpoint did not create it')
  const others = await foreignObjects(client, settings, kept)
  if (others.length > 0) return keep(`it contains ${others.slice(0, 3).join(', ')}${more(others)}`)
  const { apiVersion, kind } = Namespace
  return {
    objects: [{ kind: Namespace, manifest: { apiVersion, kind, metadata: { name, labels } } }],
    notes: [],
  }
}

const pollMs = 500

/**
 * Deletes the namespace if it is still unused, and waits until it is deleted, for the next
 * deployment.
 */
export async function removeNamespace(
  { host, terminal, signal }: CommandContext,
  client: Client,
  {
    settings,
    kept,
    timeoutMs,
  }: {
    readonly settings: ManifestSettings
    readonly kept: readonly InstalledResource[]
    readonly timeoutMs: number
  },
): Promise<void> {
  // Check again: an object may have been created in it since the plan.
  const { objects } = await namespaceRemoval(client, settings, kept)
  const endMs = host.monotonicMs() + timeoutMs
  for (const { kind, manifest } of objects) {
    const { name } = manifest.metadata
    await client.delete(kind, name)
    terminal.printProgress(terminal.style.dim(`waiting until the namespace ${name} is deleted`))
    while ((await client.find(kind, name)) !== undefined) {
      if (host.monotonicMs() >= endMs) {
        terminal.printProgress(
          `the namespace ${name} is still terminating: kubectl describe namespace ${name} shows the reason`,
        )
        return
      }
      await host.sleep(pollMs, signal)
    }
  }
}

function more(others: readonly string[]): string {
  return others.length > 3 ? ` and ${others.length - 3} more` : ''
}

const checkedKinds = [
  Deployment,
  StatefulSet,
  DaemonSet,
  ReplicaSet,
  Job,
  CronJob,
  Pod,
  Service,
  PersistentVolumeClaim,
  ConfigMap,
  Secret,
]

/** Objects that the cluster creates in every namespace. */
const systemNames: ReadonlySet<string> = new Set(['kube-root-ca.crt'])

async function foreignObjects(
  client: Client,
  settings: ManifestSettings,
  kept: readonly InstalledResource[],
): Promise<string[]> {
  const { namespace } = settings
  const ours = Object.entries(ownLabels(settings))
  const found = await Promise.all(
    checkedKinds.map(async (kind) => {
      const objects = (await client.listAll(metadataOf(kind), { namespace })) as Owned[]
      return (
        objects
          .filter(
            ({ metadata }) => !ours.every(([name, value]) => metadata.labels?.[name] === value),
          )
          // A controlled object is deleted with its controller, which is checked itself.
          .filter(
            ({ metadata }) => !(metadata.ownerReferences ?? []).some((owner) => owner.controller),
          )
          .filter(({ metadata }) => !systemNames.has(metadata.name))
          .map(({ metadata }) => objectTitle(kind, { name: metadata.name }))
      )
    }),
  )
  const resources = await Promise.all(
    kept.map(async (resource) =>
      (await objectsOf(client, resource))
        .filter((object) => object.namespace === namespace)
        .map(({ name }) => objectTitle(resource.kind, { name })),
    ),
  )
  return [...found, ...resources].flat()
}

interface Owned {
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly { readonly controller?: boolean }[]
  }
}

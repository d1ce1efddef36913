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
  isEverybodys,
  managedByLabel,
  type ManifestSettings,
  ownLabels,
} from '../manifests/index.ts'
import { objectTitle } from './object-title.ts'
import { type InstalledResource, objectsOf } from './plan/resource-counts.ts'

/** Whether the namespace of the operators goes with them. */
interface NamespaceRemoval {
  readonly objects: readonly ClusterObject[]
  /** Why it stays. */
  readonly notes: readonly string[]
}

/** A namespace goes only if `deploy` made it and nobody else has anything in it that matters. */
export async function namespaceRemoval(
  client: Client,
  settings: ManifestSettings,
  kept: readonly InstalledResource[],
): Promise<NamespaceRemoval> {
  const { namespace: name } = settings
  const found = await client.find(Namespace, name)
  if (found === undefined) return { objects: [], notes: [] }
  const stays = (why: string): NamespaceRemoval => ({
    objects: [],
    notes: [`Namespace ${name}: ${why}`],
  })
  const labels = found.metadata.labels ?? {}
  if (isEverybodys(name)) return stays('every cluster has it')
  if (labels[managedByLabel] !== 'setpoint') return stays('setpoint did not make it')
  const others = await foreignObjects(client, settings, kept)
  if (others.length > 0) return stays(`it holds ${others.slice(0, 3).join(', ')}${more(others)}`)
  const { apiVersion, kind } = Namespace
  return {
    objects: [{ kind: Namespace, manifest: { apiVersion, kind, metadata: { name, labels } } }],
    notes: [],
  }
}

const lookMs = 500

/** Deletes the namespace if it still goes, and waits until it is gone: nothing can be deployed into it before. */
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
  // Somebody may have put something into it since it was looked at.
  const { objects } = await namespaceRemoval(client, settings, kept)
  const endMs = host.monotonicMs() + timeoutMs
  for (const { kind, manifest } of objects) {
    const { name } = manifest.metadata
    await client.delete(kind, name)
    terminal.note(terminal.style.dim(`waiting for the namespace ${name} to go`))
    while ((await client.find(kind, name)) !== undefined) {
      if (host.monotonicMs() >= endMs) {
        terminal.note(
          `the namespace ${name} is still being deleted: kubectl describe namespace ${name} says why`,
        )
        return
      }
      await host.sleep(lookMs, signal)
    }
  }
}

function more(others: readonly string[]): string {
  return others.length > 3 ? ` and ${others.length - 3} more` : ''
}

const workloads = [
  ...[Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob, Pod],
  ...[Service, PersistentVolumeClaim, ConfigMap, Secret],
]

/** What a cluster puts into every namespace. */
const usualNames: ReadonlySet<string> = new Set(['kube-root-ca.crt'])

async function foreignObjects(
  client: Client,
  settings: ManifestSettings,
  kept: readonly InstalledResource[],
): Promise<string[]> {
  const { namespace } = settings
  const ours = Object.entries(ownLabels(settings))
  const found = await Promise.all(
    workloads.map(async (kind) => {
      const objects = (await client.listAll(metadataOf(kind), { namespace })) as Owned[]
      return (
        objects
          .filter(
            ({ metadata }) => !ours.every(([name, value]) => metadata.labels?.[name] === value),
          )
          // What is controlled goes, or stays, with what controls it.
          .filter(
            ({ metadata }) => !(metadata.ownerReferences ?? []).some((owner) => owner.controller),
          )
          .filter(({ metadata }) => !usualNames.has(metadata.name))
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

import type { Kind } from 'setpoint'
import type { ManifestOf } from 'setpoint/client'
import type { Pod, StatefulSet } from 'setpoint/kinds'
import { type ObjectKey, ownerReference, type StoredObject } from './stored-object.ts'

type SetManifest = ManifestOf<typeof StatefulSet>
type PodManifest = ManifestOf<typeof Pod>

/** The metadata of a child of an owner. */
export function childMetadata(kind: Kind, owner: StoredObject, name: string) {
  return {
    name,
    namespace: owner.metadata.namespace ?? '',
    labels: { app: owner.metadata.name },
    ownerReferences: [ownerReference(kind, owner)],
  }
}

interface MemberSetOptions {
  readonly replicas: number
  /** By default the name of the owner. */
  readonly name?: string
  readonly image?: string
  /** The size of the volume of each member; without it members have none. */
  readonly storage?: string
  /** What the StatefulSet controller does with claims; by default it deletes them. */
  readonly claims?: { readonly whenDeleted?: 'Retain'; readonly whenScaled?: 'Retain' }
  readonly claimLabels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly templateAnnotations?: Readonly<Record<string, string>>
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly podSpec?: Partial<PodManifest['spec']>
}

/** The StatefulSet of a clustered application. */
export function memberSet(kind: Kind, owner: StoredObject, options: MemberSetOptions): SetManifest {
  const { name = owner.metadata.name, replicas, storage, annotations } = options
  const labels = { app: owner.metadata.name, member: name }
  return {
    metadata: { ...childMetadata(kind, owner, name), ...(annotations && { annotations }) },
    spec: {
      replicas,
      serviceName: name,
      podManagementPolicy: 'Parallel',
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: 'Delete',
        whenScaled: 'Delete',
        ...options.claims,
      },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { ...stopsSlowly, ...options.templateAnnotations } },
        spec: podSpec(options),
      },
      ...(storage === undefined
        ? {}
        : { volumeClaimTemplates: [claim(storage, options.claimLabels)] }),
    },
  }
}

/** A database needs a while to stop. The simulated kubelet reads it from here. */
const stopsSlowly = { 'setpoint.dev/pod-behaviour': '{"terminationTime":"5s"}' }

/** The template of the claims `data-SET-ORDINAL`. */
function claim(storage: string, labels: Readonly<Record<string, string>> = {}) {
  return {
    metadata: { name: 'data', labels },
    spec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage } } },
  }
}

/** A pod that an operator creates itself. */
export function memberPod(
  kind: Kind,
  owner: StoredObject,
  options: Pick<MemberSetOptions, 'image' | 'annotations' | 'nodeSelector' | 'podSpec'> & {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
  },
): PodManifest {
  const metadata = childMetadata(kind, owner, options.name)
  const { annotations = {}, labels } = options
  return {
    metadata: {
      ...metadata,
      annotations: { ...stopsSlowly, ...annotations },
      labels: { ...metadata.labels, ...labels },
    },
    spec: podSpec(options),
  }
}

/** The spec of the pod of a member. */
function podSpec({
  image = 'member:1.0',
  nodeSelector,
  podSpec: more,
}: Pick<MemberSetOptions, 'image' | 'nodeSelector' | 'podSpec'>) {
  return {
    containers: [{ name: 'member', image }],
    terminationGracePeriodSeconds: 10,
    ...(nodeSelector && { nodeSelector }),
    ...more,
  }
}

/** The number at the end of a name such as `oak-2` or `data-oak-2`. */
export function ordinalOf(name: string): number {
  return Number(/-(\d+)$/.exec(name)?.[1] ?? -1)
}

/** The name of the claim of a member. */
export function claimName(set: string, ordinal: number): string {
  return `data-${set}-${ordinal}`
}

/** A key in the namespace of an object. */
export function keyOf({ metadata }: StoredObject, name = metadata.name): ObjectKey {
  return { namespace: metadata.namespace ?? '', name }
}

/** The key of the owner of an object that only has its label, such as a claim. */
export function appKeys({ metadata: { namespace = '', labels } }: StoredObject): ObjectKey[] {
  return labels?.['app'] === undefined ? [] : [{ namespace, name: labels['app'] }]
}

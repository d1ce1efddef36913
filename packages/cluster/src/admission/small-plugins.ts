import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../object/index.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { isAbout, type Plugin } from './plugin.ts'

interface Toleration {
  key?: string
  operator?: string
  effect?: string
  tolerationSeconds?: number
}

/** Pods stay on a node that is lost for five minutes, unless they say otherwise. */
export const defaultTolerationSeconds: Plugin = {
  name: 'DefaultTolerationSeconds',
  mutate(attributes) {
    const { operation, object } = attributes
    if (operation === 'DELETE' || !isAbout(attributes, '', 'pods')) return
    const spec = object['spec'] as unknown as { tolerations?: Toleration[] }
    for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
      const tolerations = spec.tolerations ?? []
      if (tolerations.some((toleration) => tolerates(toleration, key))) continue
      const added = { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }
      spec.tolerations = [...tolerations, added]
    }
  },
}

function tolerates({ key = '', effect = '' }: Toleration, wanted: string): boolean {
  return (key === '' || key === wanted) && (effect === '' || effect === 'NoExecute')
}

const defaultStorageAnnotation = 'storageclass.kubernetes.io/is-default-class'

/** A claim that names no class gets the default one, the newest if there are several. */
export function defaultStorageClass(cluster: ClusterReader): Plugin {
  return {
    name: 'DefaultStorageClass',
    mutate(attributes) {
      const { operation, object } = attributes
      if (operation !== 'CREATE' || !isAbout(attributes, '', 'persistentvolumeclaims')) return
      const spec = object['spec'] as unknown as { storageClassName?: string }
      const annotations = metadataOf(object).annotations ?? {}
      if (spec.storageClassName !== undefined) return
      if (annotations['volume.beta.kubernetes.io/storage-class'] !== undefined) return
      const name = newestDefault(
        cluster.list('storage.k8s.io/storageclasses'),
        defaultStorageAnnotation,
      )
      if (name !== undefined) spec.storageClassName = name
    },
  }
}

/** The same for ingresses. */
export function defaultIngressClass(cluster: ClusterReader): Plugin {
  return {
    name: 'DefaultIngressClass',
    mutate(attributes) {
      const { operation, object } = attributes
      if (operation !== 'CREATE' || !isAbout(attributes, 'networking.k8s.io', 'ingresses')) return
      const spec = object['spec'] as unknown as { ingressClassName?: string } | undefined
      const annotations = metadataOf(object).annotations ?? {}
      if (spec === undefined || spec.ingressClassName !== undefined) return
      if (annotations['kubernetes.io/ingress.class'] !== undefined) return
      const name = newestDefault(
        cluster.list('networking.k8s.io/ingressclasses'),
        'ingressclass.kubernetes.io/is-default-class',
      )
      if (name !== undefined) spec.ingressClassName = name
    },
  }
}

function newestDefault(classes: Iterable<JsonObject>, annotation: string): string | undefined {
  const defaults = [...classes]
    .map(metadataOf)
    .filter(({ annotations }) => annotations?.[annotation] === 'true')
    .sort((a, b) => {
      const [left, right] = [a.creationTimestamp ?? '', b.creationTimestamp ?? '']
      if (left !== right) return left < right ? 1 : -1
      return (a.name ?? '') < (b.name ?? '') ? -1 : 1
    })
  return defaults[0]?.name
}

const protectedKinds: Readonly<Record<string, string>> = {
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
}

/** Storage that is in use does not go away under its users. */
export const storageProtection: Plugin = {
  name: 'StorageObjectInUseProtection',
  mutate({ operation, resource, subresource, object }) {
    const finalizer = protectedKinds[`${resource.group}/${resource.plural}`]
    if (operation !== 'CREATE' || subresource !== '' || finalizer === undefined) return
    const metadata = metadataOf(object)
    if (metadata.finalizers?.includes(finalizer) === true) return
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer]
  },
}

/** A node takes no pods before somebody says that it is ready. */
export const nodeNotReadyTaint: Plugin = {
  name: 'TaintNodesByCondition',
  mutate(attributes) {
    const { operation, object } = attributes
    if (operation !== 'CREATE' || !isAbout(attributes, '', 'nodes')) return
    const spec = (object['spec'] ??= {}) as unknown as { taints?: JsonObject[] }
    const taints = spec.taints ?? []
    const key = 'node.kubernetes.io/not-ready'
    if (taints.some((taint) => taint['key'] === key && taint['effect'] === 'NoSchedule')) return
    spec.taints = [...taints, { key, effect: 'NoSchedule' }]
  },
}

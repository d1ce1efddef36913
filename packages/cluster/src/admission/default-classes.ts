import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../object/index.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { isAbout, type Plugin } from './plugin.ts'

const defaultStorageAnnotation = 'storageclass.kubernetes.io/is-default-class'

/** A claim without a class gets the default one, or the newest of several defaults. */
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

/** An ingress without a class gets the default one, or the newest of several defaults. */
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

import type { Kind } from 'setpoint'
import type { ManifestSettings } from './manifest-settings.ts'

/** An object that manifests are made of, with the kind that leads to it. */
export interface ClusterObject {
  readonly kind: Kind
  readonly manifest: {
    readonly apiVersion: string
    readonly kind: string
    readonly metadata: {
      readonly name: string
      readonly namespace?: string
      readonly labels: Readonly<Record<string, string>>
    }
    readonly [field: string]: unknown
  }
}

/** The fields of an object besides its identity. */
interface ObjectContent {
  readonly name: string
  readonly namespace?: string
  readonly labels: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, unknown>>
}

/** An object with its fields in the order that people read them in. */
export function clusterObject(kind: Kind, content: ObjectContent): ClusterObject {
  const { name, namespace, labels, fields = {} } = content
  return {
    kind,
    manifest: {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
      ...fields,
    },
  }
}

/** Who made an object. */
export const managedByLabel = 'app.kubernetes.io/managed-by'

/** The labels of what all deployments of a project share. */
export function sharedLabels({ name }: ManifestSettings): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, [managedByLabel]: 'setpoint' }
}

/** The labels of what belongs to one deployment: a project may be deployed to several namespaces. */
export function ownLabels(settings: ManifestSettings): Readonly<Record<string, string>> {
  return { ...sharedLabels(settings), 'app.kubernetes.io/instance': settings.namespace }
}

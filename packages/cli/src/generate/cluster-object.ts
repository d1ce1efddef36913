import type { Kind } from 'setpoint'
import type { ManifestSettings } from './manifest-settings.ts'

/** A manifest with its kind. */
export interface ClusterObject {
  readonly kind: Kind
  readonly manifest: {
    readonly apiVersion: string
    readonly kind: string
    readonly metadata: {
      readonly name: string
      readonly namespace?: string
      readonly labels: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
    }
    readonly [field: string]: unknown
  }
}

/** The fields of an object besides its identity. */
interface ObjectContent {
  readonly name: string
  readonly namespace?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>> | undefined
  readonly fields?: Readonly<Record<string, unknown>>
}

/** A manifest with its fields in the usual order. */
export function clusterObject(kind: Kind, content: ObjectContent): ClusterObject {
  const { name, namespace, labels, annotations, fields = {} } = content
  return {
    kind,
    manifest: {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        labels,
        ...(annotations === undefined ? {} : { annotations }),
      },
      ...fields,
    },
  }
}

/** The object with more labels; its own ones take precedence. */
export function withLabels(
  { kind, manifest }: ClusterObject,
  labels: Readonly<Record<string, string>> | undefined,
): ClusterObject {
  if (labels === undefined) return { kind, manifest }
  const { metadata } = manifest
  return {
    kind,
    manifest: { ...manifest, metadata: { ...metadata, labels: { ...labels, ...metadata.labels } } },
  }
}

/** The label that names the tool that manages an object. */
export const managedByLabel = 'app.kubernetes.io/managed-by'

/** The labels of objects that all deployments of a project share. */
export function sharedLabels({ name }: ManifestSettings): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, [managedByLabel]: 'setpoint' }
}

/** The labels of objects of one deployment: a project may be deployed to several namespaces. */
export function ownLabels(settings: ManifestSettings): Readonly<Record<string, string>> {
  return { ...sharedLabels(settings), 'app.kubernetes.io/instance': settings.namespace }
}

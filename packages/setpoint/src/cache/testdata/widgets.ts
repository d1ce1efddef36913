import { defineKind } from '../../kinds/define-kind.ts'
import type { StoredMetadata } from '../../kinds/metadata.ts'

/** A custom resource: servers send it only as JSON. */
export interface Widget {
  apiVersion: 'example.com/v1'
  kind: 'Widget'
  metadata: StoredMetadata<'Namespaced'>
  spec: { size: number }
}

export const Widget = defineKind<Widget>({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
})

const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const

/** The CustomResourceDefinition of the resource. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
} as const

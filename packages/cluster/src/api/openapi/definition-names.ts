import type { ServedResource } from '../resources/served-resource.ts'

/** References to the definitions that the operations of a resource use. */
export interface DefinitionNames {
  readonly kind: string
  readonly list: string
}

/**
 * The definitions of a custom resource are named by its reversed group: `com.example.v1.Widget`.
 */
export function definitionNames(
  group: string,
  { version, kind, listKind }: Pick<ServedResource, 'version' | 'kind' | 'listKind'>,
): DefinitionNames {
  const prefix = [...group.split('.').reverse(), version].join('.')
  return { kind: `${prefix}.${kind}`, list: `${prefix}.${listKind}` }
}

/** The name of a definition of `meta/v1`, which documents of custom resources use. */
export function metaDefinition(name: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`
}

/** The definition of the scale subresource. */
export const scaleDefinition = 'io.k8s.api.autoscaling.v1.Scale'

/** A reference to a definition of the same document. */
export function referenceTo(definition: string): { $ref: string } {
  return { $ref: `#/components/schemas/${definition}` }
}

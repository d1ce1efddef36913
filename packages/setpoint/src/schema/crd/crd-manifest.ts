/**
 * The type of an `apiextensions.k8s.io/v1` CustomResourceDefinition, without server-written fields.
 */
import type { StructuralSchema } from '../structural-schema.ts'

/** The names of a resource; a server derives `singular` and `listKind` from `kind`. */
export interface CrdNames {
  readonly plural: string
  readonly kind: string
  readonly singular?: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

/** A column of `kubectl get`. */
export interface CrdPrinterColumn {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
}

/** The paths of the replica counts and the selector of the scale subresource. */
export interface CrdScale {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/** One version of a resource. */
export interface CrdVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema }
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>
    readonly scale?: CrdScale
  }
  readonly additionalPrinterColumns?: readonly CrdPrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

/** The address of a conversion webhook: a URL or a service of the cluster. */
export interface CrdWebhookClientConfig {
  readonly url?: string
  readonly service?: {
    readonly name: string
    readonly namespace: string
    readonly path?: string
    readonly port?: number
  }
  /** The certificate authority of the webhook, PEM in base64. */
  readonly caBundle?: string
}

/** How objects are converted between versions. */
export interface CrdConversion {
  readonly strategy: string
  readonly webhook?: {
    readonly clientConfig?: CrdWebhookClientConfig
    readonly conversionReviewVersions: readonly string[]
  }
}

/** A CustomResourceDefinition without its status, which only servers write. */
export interface CrdManifest {
  readonly apiVersion: 'apiextensions.k8s.io/v1'
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly group: string
    readonly names: CrdNames
    readonly scope: string
    readonly versions: readonly CrdVersion[]
    readonly conversion?: CrdConversion
    readonly preserveUnknownFields?: boolean
  }
}

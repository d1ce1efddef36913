import { parse } from 'yaml'
import type { CustomResourceDefinition } from 'setpoint/kinds'
import type { ApiObject } from '../kubectl/index.ts'
import type { OutputFile } from '../output/index.ts'

/** A custom resource in a ClusterServiceVersion. */
export interface OwnedResource {
  readonly name: string
  readonly version: string
  readonly kind: string
  readonly resources?: readonly { readonly kind: string }[]
  readonly specDescriptors?: readonly { readonly path: string }[]
  readonly statusDescriptors?: readonly { readonly path: string }[]
}

interface ClusterServiceVersion {
  readonly metadata: {
    readonly name: string
    readonly annotations: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly version: string
    readonly customresourcedefinitions: { readonly owned: readonly OwnedResource[] }
    readonly installModes: readonly { readonly type: string; readonly supported: boolean }[]
  }
}

/** The parts of a bundle that the tests read, parsed from its files. */
export interface ScoredBundle {
  readonly csv: ClusterServiceVersion
  readonly crds: readonly CustomResourceDefinition[]
  /** The samples of the annotation `alm-examples`. */
  readonly examples: readonly ApiObject[]
  readonly annotations: Readonly<Record<string, string>>
}

/** Parses the files of a bundle, as OLM would. */
export function scoredBundle(files: readonly OutputFile[]): ScoredBundle {
  const parsed = (end: string): unknown[] =>
    files.filter(({ path }) => path.endsWith(end)).map(({ text }) => parse(text) as unknown)
  const [csv] = parsed('.clusterserviceversion.yaml') as ClusterServiceVersion[]
  const [metadata] = parsed('metadata/annotations.yaml') as Pick<ScoredBundle, 'annotations'>[]
  if (csv === undefined || metadata === undefined) throw new Error('the bundle is incomplete')
  return {
    csv,
    crds: parsed('.crd.yaml') as CustomResourceDefinition[],
    examples: JSON.parse(csv.metadata.annotations['alm-examples'] ?? '[]') as ApiObject[],
    annotations: metadata.annotations,
  }
}

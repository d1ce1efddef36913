import { readFileSync } from 'node:fs'
import type { JsonObject } from 'setpoint/schema'
import { builtinData } from '../../packages/cluster/src/data/index.ts'

/** A resource whose requests are varied, with valid manifests. */
export interface FuzzedKind {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  /** The path of the collection in the namespace of the script. */
  readonly collection: string
  readonly isNamespaced: boolean
  readonly subresources: readonly string[]
  /** The definition in OpenAPI, if it is a built-in kind. */
  readonly schema: string | undefined
  readonly manifests: readonly JsonObject[]
  /** Objects that change how the server treats other scripts are never stored. */
  readonly isOnlyTried: boolean
}

const folder = new URL('../../packages/cluster/src/defaults/testdata/', import.meta.url)

/** Configures the server, or changes the defaults of all objects of another kind. */
const onlyTried = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'PriorityClass',
  'StorageClass',
  'IngressClass',
  'ServiceCIDR',
])

/** Other kinds with names that must have a certain form. */
const left = new Set(['APIService', 'CustomResourceDefinition', 'IPAddress'])

interface RecordedCreate {
  readonly sent: JsonObject & { apiVersion: string; kind: string }
}

/** The built-in kinds with manifests that a real server accepted. */
export function fuzzedKinds(): FuzzedKind[] {
  const manifests = new Map<string, JsonObject[]>()
  for (const file of ['recorded-creates.json', 'more-creates.json']) {
    const cases = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordedCreate[]
    for (const { sent } of cases) {
      const key = `${sent.apiVersion} ${sent.kind}`
      manifests.set(key, [...(manifests.get(key) ?? []), sent])
    }
  }
  const schemas = schemaNames()
  const { api, apis } = builtinData.discovery()
  return [...api.items, ...apis.items].flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources }) => {
      const group = metadata.name ?? ''
      const apiVersion = group === '' ? version : `${group}/${version}`
      return resources.flatMap((resource): FuzzedKind[] => {
        const { kind } = resource.responseKind
        const known = manifests.get(`${apiVersion} ${kind}`)
        if (known === undefined || left.has(kind)) return []
        const root = group === '' ? '/api' : '/apis'
        const isNamespaced = resource.scope === 'Namespaced'
        const scope = isNamespaced ? '/namespaces/{ns}' : ''
        return [
          {
            apiVersion,
            kind,
            plural: resource.resource,
            collection: `${root}/${apiVersion}${scope}/${resource.resource}`,
            isNamespaced,
            subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
            schema: schemas.get(`${apiVersion} ${kind}`),
            manifests: known.map((manifest) => ownNames(manifest, isNamespaced)),
            isOnlyTried: onlyTried.has(kind),
          },
        ]
      })
    }),
  )
}

/** Names are those of the script: objects outside of namespaces must not meet those of others. */
function ownNames(manifest: JsonObject, isNamespaced: boolean): JsonObject {
  const metadata = { ...(manifest['metadata'] as JsonObject) }
  delete metadata['namespace']
  metadata['name'] = isNamespaced ? 'a' : 'a-{ns}'
  const text = JSON.stringify({ ...manifest, metadata })
  return JSON.parse(
    text
      .replaceAll(/"namespace":"(?:data|defaults)"/g, '"namespace":"{ns}"')
      .replaceAll('"generateName":"defaults-g"', '"generateName":"generated-"')
      // Only one service can have it.
      .replaceAll(/"clusterIP":"[\d.]+",?/g, ''),
  ) as JsonObject
}

function schemaNames(): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, schema] of Object.entries(builtinData.schemas().schemas)) {
    const kinds = schema['x-kubernetes-group-version-kind']
    if (!Array.isArray(kinds) || kinds.length !== 1) continue
    const { group, version, kind } = kinds[0] as { group: string; version: string; kind: string }
    names.set(`${group === '' ? version : `${group}/${version}`} ${kind}`, name)
  }
  return names
}

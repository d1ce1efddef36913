import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** One schema of `data/schemas.json.gz`: JSON Schema with `ref` instead of `$ref`. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly ref?: string
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[]
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** One resource of the API server's discovery document. */
interface DiscoveredResource {
  readonly resource: string
  readonly responseKind: GroupVersionKind
  readonly scope: 'Namespaced' | 'Cluster'
  readonly singularResource: string
  readonly shortNames?: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources?: readonly { subresource: string; responseKind: GroupVersionKind }[]
}

interface DiscoveredGroup {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly { version: string; resources: readonly DiscoveredResource[] }[]
}

/** A definition to generate: a type, and a kind as well if discovery serves it as a resource. */
export interface Definition {
  /** The key in the schemas, `io.k8s.api.apps.v1.Deployment`. */
  readonly key: string
  /** The name of the generated type, unique over all files. */
  readonly name: string
  /** The generated file without its suffix, `apps-v1`. */
  readonly file: string
  readonly schema: Schema
  readonly apiVersion?: string
  readonly kind?: string
  readonly resource?: DiscoveredResource
}

/** The input of the generator, keyed like the schemas, in the order of discovery. */
export interface Model {
  readonly kubernetes: string
  readonly definitions: ReadonlyMap<string, Definition>
  /** Fields that an API server prints as null while they are unset: definition key -> names. */
  readonly nullFields: Readonly<Record<string, readonly string[]>>
}

/** Types that no resource refers to but that clients send or receive. */
const extraRoots = ['DeleteOptions', 'ListMeta', 'Status'].map(
  (name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`,
)

/** Reads the committed data and decides the file and the name of each type. */
export function readModel(): Model {
  const data = new URL('data/', import.meta.url)
  const { kubernetes, schemas } = JSON.parse(
    gunzipSync(readFileSync(new URL('schemas.json.gz', data))).toString(),
  ) as { kubernetes: string; schemas: Record<string, Schema> }
  const discovery = JSON.parse(readFileSync(new URL('discovery.json', data), 'utf8')) as {
    api: { items: DiscoveredGroup[] }
    apis: { items: DiscoveredGroup[] }
  }
  const nullFields = JSON.parse(
    readFileSync(new URL('null-fields.json', data), 'utf8'),
  ) as Model['nullFields']

  const resources = resourcesByKey(schemas, [...discovery.api.items, ...discovery.apis.items])
  const keys = reachable(schemas, [...resources.keys(), ...extraRoots])
  const names = uniqueNames(keys, resources)
  const definitions = new Map<string, Definition>()
  for (const key of keys) {
    const schema = schemas[key] ?? {}
    const [gvk, ...others] = schema['x-kubernetes-group-version-kind'] ?? []
    const resource = resources.get(key)
    definitions.set(key, {
      key,
      name: names.get(key) ?? shortName(key),
      file: fileOf(key),
      schema,
      ...(gvk !== undefined && others.length === 0
        ? { apiVersion: apiVersionOf(gvk), kind: gvk.kind }
        : {}),
      ...(resource === undefined ? {} : { resource }),
    })
  }
  return { kubernetes, definitions, nullFields }
}

/** The definition that a schema refers to, in any of the three forms in the data. */
export function referenceOf(schema: Schema): string | undefined {
  const [only] = schema.allOf ?? []
  return (
    schema.ref ?? schema.$ref?.replace('#/components/schemas/', '') ?? (only && referenceOf(only))
  )
}

/**
 * Resources by definition key; subresource bodies (Scale, Eviction) are keys without a resource.
 */
function resourcesByKey(
  schemas: Readonly<Record<string, Schema>>,
  groups: readonly DiscoveredGroup[],
): Map<string, DiscoveredResource | undefined> {
  const keyByKind = new Map<string, string>()
  for (const [key, schema] of Object.entries(schemas)) {
    for (const gvk of schema['x-kubernetes-group-version-kind'] ?? []) {
      keyByKind.set(`${apiVersionOf(gvk)} ${gvk.kind}`, key)
    }
  }
  const resources = new Map<string, DiscoveredResource | undefined>()
  const bodies: string[] = []
  for (const { metadata, versions } of groups) {
    for (const { version, resources: served } of versions) {
      // An empty group or version in discovery means that of the enclosing group version.
      const find = (kind: GroupVersionKind) =>
        keyByKind.get(
          `${apiVersionOf({
            group: kind.group === '' ? (metadata.name ?? '') : kind.group,
            version: kind.version === '' ? version : kind.version,
          })} ${kind.kind}`,
        )
      for (const resource of served) {
        const key = find(resource.responseKind)
        if (key === undefined) throw new Error(`no schema for ${resource.resource} ${version}`)
        resources.set(key, resource)
        bodies.push(...(resource.subresources ?? []).flatMap((sub) => find(sub.responseKind) ?? []))
      }
    }
  }
  for (const key of bodies) if (!resources.has(key)) resources.set(key, undefined)
  return resources
}

function reachable(
  schemas: Readonly<Record<string, Schema>>,
  roots: readonly string[],
): ReadonlySet<string> {
  const seen = new Set<string>()
  const visit = (schema: Schema): void => {
    const reference = referenceOf(schema)
    if (reference !== undefined && !seen.has(reference)) {
      seen.add(reference)
      visit(schemas[reference] ?? {})
    }
    if (schema.items !== undefined) visit(schema.items)
    if (schema.additionalProperties !== undefined) visit(schema.additionalProperties)
    for (const property of Object.values(schema.properties ?? {})) visit(property)
  }
  // All roots come first, in the order of discovery: that order decides which type keeps a plain
  // name.
  for (const root of roots) seen.add(root)
  for (const root of roots) visit(schemas[root] ?? {})
  return seen
}

/**
 * Unique short names: where two groups have a type of the same name, a kind wins over a nested
 * type, then the group version that discovery lists first. The other type gets its version as a
 * suffix (`HorizontalPodAutoscalerV1`) if the winner is of the same group, otherwise its group as a
 * prefix (`EventsEvent`, `CoreResourceClaim`).
 */
function uniqueNames(
  keys: ReadonlySet<string>,
  resources: ReadonlyMap<string, DiscoveredResource | undefined>,
): Map<string, string> {
  const fileOrder = [...new Set([...resources.keys()].map(fileOf))]
  const rank = (key: string) =>
    (resources.get(key) === undefined ? fileOrder.length : 0) + fileOrder.indexOf(fileOf(key))
  const winners = new Map<string, string>()
  for (const key of [...keys].sort((a, b) => rank(a) - rank(b))) {
    if (!winners.has(shortName(key))) winners.set(shortName(key), key)
  }
  const names = new Map<string, string>()
  for (const key of keys) {
    const short = shortName(key)
    const winner = winners.get(short) ?? key
    const [group = '', version = ''] = fileOf(key).split('-')
    const sameGroup = fileOf(winner).startsWith(`${group}-`)
    const other = sameGroup ? `${short}${capitalized(version)}` : `${capitalized(group)}${short}`
    names.set(key, winner === key ? short : other)
  }
  if (new Set(names.values()).size !== names.size)
    throw new Error('two generated types have the same name')
  return names
}

function shortName(key: string): string {
  const name = key.slice(key.lastIndexOf('.') + 1)
  // This name would shadow the global `JSON`.
  return name === 'JSON' ? 'AnyJson' : name
}

function fileOf(key: string): string {
  if (key.startsWith('io.k8s.apimachinery.')) return 'meta-v1'
  return key.split('.').slice(-3, -1).join('-')
}

function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

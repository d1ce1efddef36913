import { gunzipSync } from 'node:zlib'
import type { JsonObject } from 'setpoint/schema'
import { builtinData } from '../../../data/index.ts'
import type { Registry } from '../../resources/registry.ts'
import { customDocument } from '../custom-document.ts'
import { customSchemas } from '../custom-schemas.ts'
import { definitionNames, metaDefinition } from '../definition-names.ts'
import { convertPaths } from './convert-paths.ts'
import { convertEach } from './convert-schema.ts'
import { mergeParts, type Parts } from './merge-parts.ts'
import { structuralVersion2 } from './structural-schema.ts'

/**
 * The document of OpenAPI v2, made from the documents of version 3: built-in resources, custom
 * resources, and `others`.
 */
export function documentVersion2(registry: Registry, others: readonly Parts[]): JsonObject {
  const custom = registry
    .groups()
    .flatMap(({ name, versions }) =>
      versions.filter(({ isCustom }) => isCustom).map((served) => ({ group: name, served })),
    )
    .map(({ group, served }): Parts => {
      const { paths } = customDocument(group, served)
      const definitions = served.resources.map((resource) => {
        const { schema } = resource
        const changed = schema === undefined ? {} : { schema: structuralVersion2(schema) }
        const names = definitionNames(group, resource)
        return convertEach(customSchemas({ ...resource, ...changed }, names, 'v2'))
      })
      return {
        paths: convertPaths(paths, true),
        definitions: Object.assign({}, ...definitions) as JsonObject,
      }
    })
  const own = [...custom, builtinParts()]
  const { paths, definitions } = mergeParts(
    {
      paths: Object.assign({}, ...own.map((part) => part.paths)) as JsonObject,
      definitions: Object.assign({}, ...own.map((part) => part.definitions)) as JsonObject,
    },
    others,
  )
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: builtinVersion() },
    paths: sorted(paths),
    definitions: sorted(definitions),
    securityDefinitions: {
      BearerToken: {
        description: 'Bearer Token authentication',
        type: 'apiKey',
        name: 'authorization',
        in: 'header',
      },
    },
    security: [{ BearerToken: [] }],
  }
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

let builtin: Parts | undefined

function builtinParts(): Parts {
  if (builtin !== undefined) return builtin
  const documents = Object.keys(builtinData.openApiDocuments()).map(builtinDocument)
  // Documents repeat the definitions that they share.
  const schemas = Object.assign(
    {},
    ...documents.map(({ components }) => components?.schemas),
  ) as JsonObject
  const paths = documents.map((document) => convertPaths(document.paths, false))
  return (builtin = {
    paths: Object.assign({}, ...paths) as JsonObject,
    definitions: inAllGroups(convertEach(schemas)),
  })
}

/** Every group has these kinds; a document of version 3 has only its own group. */
function inAllGroups(definitions: JsonObject): JsonObject {
  const versions = Object.keys(builtinData.proto().kinds)
    .map((apiVersion): [string, string] => {
      const [group = '', version] = apiVersion.split('/')
      return version === undefined ? ['', group] : [group, version]
    })
    .filter(([group]) => group !== 'meta.k8s.io' && group !== 'apidiscovery.k8s.io')
    .sort(([a, b], [c, d]) => (`${a}/${b}` < `${c}/${d}` ? -1 : 1))
  const shared = ['DeleteOptions', 'WatchEvent'].map((kind): [string, JsonObject] => {
    const name = metaDefinition(kind)
    const kinds = versions.map(([group, version]) => ({ group, kind, version }))
    const definition = definitions[name] as JsonObject | undefined
    return [name, { ...definition, 'x-kubernetes-group-version-kind': kinds }]
  })
  return { ...definitions, ...Object.fromEntries(shared) }
}

function builtinVersion(): string {
  return builtinDocument('apis/apps/v1').info.version
}

interface Document3 {
  readonly info: { readonly version: string }
  readonly paths: JsonObject
  readonly components?: { readonly schemas?: JsonObject }
}

function builtinDocument(name: string): Document3 {
  const packed = builtinData.openApiDocuments()[name] ?? ''
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Document3
}

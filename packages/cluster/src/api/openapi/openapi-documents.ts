import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { encodeJson } from '../../codec/index.ts'
import { builtinData } from '../../data/index.ts'
import type { Registry, ServedVersion } from '../resources/registry.ts'
import { customDocument } from './custom-document.ts'

/** A document of OpenAPI v3. */
export interface OpenApiDocument {
  /** Changes with the text. */
  readonly hash: string
  readonly text: () => string
}

/** Whether this server has the document itself. */
export function hasDocument(registry: Registry, name: string): boolean {
  return (
    Object.hasOwn(builtinData.openApiDocuments(), name) ||
    customVersion(registry, name) !== undefined
  )
}

/** The document of a name such as `apis/apps/v1`. */
export function findDocument(registry: Registry, name: string): OpenApiDocument | undefined {
  const documents = builtinData.openApiDocuments()
  const packed = Object.hasOwn(documents, name) ? documents[name] : undefined
  if (packed !== undefined) {
    return {
      hash: hashOf(packed),
      text: () => gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'),
    }
  }
  const custom = customVersion(registry, name)
  if (custom === undefined) return undefined
  const known = customDocuments.get(custom.served)
  if (known !== undefined) return known
  const text = encodeJson(customDocument(custom.group, custom.served))
  const document = { hash: digest(text), text: () => text }
  customDocuments.set(custom.served, document)
  return document
}

/** The documents of versions as they are served now. A change of a definition replaces its version. */
const customDocuments = new WeakMap<ServedVersion, OpenApiDocument>()

/** The names of all documents. */
export function documentNames(registry: Registry): string[] {
  const custom = registry
    .groups()
    .flatMap(({ name, versions }) =>
      versions.filter(({ isCustom }) => isCustom).map(({ version }) => `apis/${name}/${version}`),
    )
  return [...Object.keys(builtinData.openApiDocuments()), ...custom]
}

function customVersion(
  registry: Registry,
  name: string,
): { readonly group: string; readonly served: ServedVersion } | undefined {
  const [, group = '', version = ''] = name.split('/')
  const served = registry
    .groups()
    .find((candidate) => candidate.name === group)
    ?.versions.find((candidate) => candidate.isCustom && candidate.version === version)
  return served !== undefined && name === `apis/${group}/${version}` ? { group, served } : undefined
}

const hashes = new Map<string, string>()

/** Hashing all built-in documents for every read of the index would cost more than serving it. */
function hashOf(packed: string): string {
  const known = hashes.get(packed)
  if (known !== undefined) return known
  const hash = digest(packed)
  hashes.set(packed, hash)
  return hash
}

function digest(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase()
}

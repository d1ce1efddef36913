import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** A document of another server that is not what it should be. */
export class RemoteDocumentError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RemoteDocumentError'
  }
}

/** The resources of a version in a document of aggregated discovery; none if it is not in it. */
export function versionInDiscovery(
  document: JsonValue,
  { group, version }: { readonly group: string; readonly version: string },
): JsonObject {
  const items = listOf(objectOf(document)['items'])
  const found = items
    .map(objectOf)
    .filter(({ metadata }) => textOf(objectOf(metadata ?? {})['name']) === group)
    .flatMap(({ versions }) => listOf(versions).map(objectOf))
    .find((candidate) => candidate['version'] === version)
  const resources = listOf(found?.['resources']).map((item) => resourceOf(objectOf(item)))
  return { version, ...(resources.length === 0 ? {} : { resources }) }
}

/** The same from an APIResourceList, for servers without aggregated discovery. */
export function versionInResourceList(document: JsonValue, version: string): JsonObject {
  const listed = listOf(objectOf(document)['resources']).map(objectOf)
  const resources = new Map<string, JsonObject>()
  const subresources = new Map<string, JsonObject[]>()
  for (const item of listed) {
    const name = textOf(item['name'])
    if (name.includes('/')) continue
    const { shortNames, categories, verbs } = item
    resources.set(name, {
      resource: name,
      responseKind: kindOf(item),
      scope: scopeOf(item),
      singularResource: textOf(item['singularName']),
      verbs: textsOf(verbs),
      ...optionalTexts({ shortNames, categories }),
    })
  }
  for (const item of listed) {
    const [parent = '', ...rest] = textOf(item['name']).split('/')
    if (rest.length === 0) continue
    const scope = scopeOf(item)
    const owner = resources.get(parent) ?? {
      resource: parent,
      responseKind: { group: '', version: '', kind: '' },
      scope,
      singularResource: '',
      verbs: null,
    }
    resources.set(parent, owner)
    if (owner['scope'] !== scope) {
      throw new RemoteDocumentError(`${parent} and its subresources have different scopes`)
    }
    const subresource = {
      subresource: rest.join('/'),
      responseKind: kindOf(item),
      verbs: textsOf(item['verbs']),
    }
    subresources.set(parent, [...(subresources.get(parent) ?? []), subresource])
  }
  const all = [...resources].map(([name, resource]) => {
    const own = subresources.get(name)
    return own === undefined ? resource : { ...resource, subresources: own }
  })
  return { version, ...(all.length === 0 ? {} : { resources: all }) }
}

function resourceOf(item: JsonObject): JsonObject {
  const { shortNames, categories, responseKind } = item
  const subresources = listOf(item['subresources']).map((one) => subresourceOf(objectOf(one)))
  return {
    resource: textOf(item['resource']),
    responseKind: kindOf(objectOf(responseKind ?? {})),
    scope: textOf(item['scope']),
    singularResource: textOf(item['singularResource']),
    verbs: textsOf(item['verbs']),
    ...optionalTexts({ shortNames, categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  }
}

function subresourceOf(item: JsonObject): JsonObject {
  const accepted = listOf(item['acceptedTypes']).map((one) => kindOf(objectOf(one)))
  return {
    subresource: textOf(item['subresource']),
    responseKind: kindOf(objectOf(item['responseKind'] ?? {})),
    ...(accepted.length === 0 ? {} : { acceptedTypes: accepted }),
    verbs: textsOf(item['verbs']),
  }
}

function kindOf({ group, version, kind }: JsonObject): JsonObject {
  return { group: textOf(group), version: textOf(version), kind: textOf(kind) }
}

function scopeOf({ namespaced }: JsonObject): string {
  return namespaced === true ? 'Namespaced' : 'Cluster'
}

function optionalTexts(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]): [string, JsonValue] => [name, textsOf(value)])
      .filter(([, texts]) => Array.isArray(texts) && texts.length > 0),
  )
}

function objectOf(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value
  throw new RemoteDocumentError('a part of the document is not an object')
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new RemoteDocumentError('a part of the document is not a list')
}

/** A missing list stays missing, as in Go. */
function textsOf(value: JsonValue | undefined): JsonValue {
  return value === undefined || value === null ? null : listOf(value).map(textOf)
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  throw new RemoteDocumentError('a part of the document is not a text')
}

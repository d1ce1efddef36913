import type { DynamicKind } from '../kinds/dynamic-kind.ts'
import { isApiError } from './transport/api-error.ts'
import type { CallOptions } from './transport/call-options.ts'
import type { Transport } from './transport/transport.ts'

/** A resource in a discovery document. */
interface ServedResource {
  readonly name: string
  readonly singularName?: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

/** `v1`, or a group and a version. Other texts must not become part of a path. */
const validApiVersion = /^(?:([a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)\/)?([a-z0-9]+)$/

/** Finds a kind in the discovery documents; `undefined` if the server does not serve it. */
export async function servedKind(
  transport: Transport,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  options: CallOptions = {},
): Promise<DynamicKind | undefined> {
  const [, group = '', version = ''] = validApiVersion.exec(apiVersion) ?? []
  if (version === '') return undefined
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const what = `discovery of ${apiVersion}`
  let document: object
  try {
    document = await transport.object({ method: 'GET', path, what, ...options })
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) return undefined
    throw error
  }
  const { resources = [] } = document as { readonly resources?: readonly ServedResource[] }
  // A name with a slash is a subresource, which may have the kind of its object.
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'))
  if (found === undefined) return undefined
  const prefix = `${found.name}/`
  return {
    group,
    version,
    apiVersion,
    kind,
    plural: found.name,
    ...(found.singularName === undefined ? {} : { singular: found.singularName }),
    scope: found.namespaced ? 'Namespaced' : 'Cluster',
    subresources: resources.flatMap(({ name }) =>
      name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
    ),
    verbs: found.verbs,
    isDynamic: true,
  }
}

import type { JsonObject } from 'setpoint/schema'
import type { TokenBinding } from '../../auth/index.ts'
import { keyOf, metadataOf } from '../../object/index.ts'
import { badRequest, conflict, notFound } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { readObject } from '../object-text.ts'

/** The object of a TokenRequest to which the token's lifetime is bound. */
export interface BoundObjectRef {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly uid?: string
}

const boundKinds = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' } as const

/** Finds the object that a token is bound to: tokens contain its name and uid. */
export function tokenBinding(
  request: ApiRequest,
  account: string,
  reference: BoundObjectRef,
): TokenBinding {
  const { kind = '', name = '', uid: expected = '' } = reference
  const [version, group = ''] = (reference.apiVersion ?? '').split('/').reverse()
  if (group !== '' || !isBoundKind(kind)) {
    const type = `${group}/${version ?? ''}, Kind=${kind}`
    throw badRequest(`cannot bind token to object of type ${type}`)
  }
  const plural = boundKinds[kind]
  const object = objectNamed(request, plural, name)
  if (object === undefined) throw notFound({ group: '', resource: plural }, name)
  const { uid = '' } = metadataOf(object)
  const spec = (object['spec'] ?? {}) as { serviceAccountName?: string; nodeName?: string }
  if (kind === 'Pod' && spec.serviceAccountName !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    )
  }
  if (expected !== '' && expected !== uid) {
    const why = `the UID in the bound object reference (${expected}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group: '', resource: kind }, name, why)
  }
  if (kind === 'Secret') return { secret: { name, uid } }
  if (kind === 'Node') return { node: { name, uid } }
  const { nodeName = '' } = spec
  const pod = { name, uid }
  return nodeName === '' ? { pod } : { pod, node: nodeIdentity(request, nodeName) }
}

function isBoundKind(kind: string): kind is keyof typeof boundKinds {
  return Object.hasOwn(boundKinds, kind)
}

/** The node of a pod is included even when it does not exist. */
function nodeIdentity(request: ApiRequest, name: string): { name: string; uid?: string } {
  const node = objectNamed(request, 'nodes', name)
  return node === undefined ? { name } : { name, uid: metadataOf(node).uid ?? '' }
}

function objectNamed(request: ApiRequest, plural: string, name: string): JsonObject | undefined {
  const { registry, store } = request.server
  const resource = registry.find('', 'v1', plural)
  if (resource === undefined) return undefined
  const key = keyOf(resource.namespaced ? request.info.namespace : '', name)
  const stored = store.get(resource.bucket, key)
  return stored === undefined ? undefined : readObject(resource, stored)
}

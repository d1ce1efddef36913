import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../../object/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import type { DecodeTarget } from '../typed-target.ts'
import { admissionAttributes } from '../verbs/admission-attributes.ts'
import { managedFieldsOfPost } from '../verbs/field-manager.ts'

/** An object that was posted to a subresource. */
interface PostedSubresource {
  readonly target: DecodeTarget
  readonly object: JsonObject
  readonly manager: string
  readonly isDryRun: boolean
  /** Completes the object between the mutating and the validating plugins. */
  readonly complete?: () => void
}

/** Admits an object that was posted to a subresource; mutating plugins change it in place. */
export async function admitPosted(
  request: ApiRequest,
  resource: ServedResource,
  { target, object, manager, isDryRun, complete }: PostedSubresource,
): Promise<void> {
  const { server, info } = request
  const { group, apiVersion, kind } = target
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  const definition = `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}.${kind}`
  const by = { definition, manager, subresource: info.subresource }
  const metadata = metadataOf(object) as JsonObject
  const managers = managedFieldsOfPost(request, object, by)
  if (managers.length > 0) metadata['managedFields'] = managers
  const decode = (changed: JsonObject): JsonObject =>
    target.strategy.applyDefaults(target.strategy.decode(changed).object)
  const attributes = admissionAttributes(request, resource, {
    operation: 'CREATE',
    object,
    isDryRun,
    subject: { kind: { group, version, kind }, object, old: undefined, decode },
    place: { namespace: info.namespace, name: info.name },
  })
  await server.admission.mutate(attributes)
  complete?.()
  await server.admission.validate(attributes)
}

/** The kinds of the options of connections, by subresource. */
const connectKinds: Readonly<Record<string, string>> = {
  'pods/exec': 'PodExecOptions',
  'pods/attach': 'PodAttachOptions',
  'pods/portforward': 'PodPortForwardOptions',
  'pods/proxy': 'PodProxyOptions',
  'services/proxy': 'ServiceProxyOptions',
  'nodes/proxy': 'NodeProxyOptions',
}

/** Admits a connection, such as that of `kubectl exec`: its options are the object. */
export async function admitConnection(
  request: ApiRequest,
  resource: ServedResource,
): Promise<void> {
  const { server, info } = request
  const kind = connectKinds[`${resource.plural}/${info.subresource}`]
  if (kind === undefined) return
  const object = { kind, apiVersion: 'v1', ...connectOptions(info.query, kind) }
  const decode = (changed: JsonObject): JsonObject => changed
  const attributes = admissionAttributes(request, resource, {
    operation: 'CONNECT',
    object,
    isDryRun: false,
    subject: { kind: { group: '', version: 'v1', kind }, object, old: undefined, decode },
    place: { namespace: info.namespace, name: info.name },
  })
  await server.admission.mutate(attributes)
  await server.admission.validate(attributes)
}

/** The query as an options object; switches that are off are left out, as Go does. */
function connectOptions(query: URLSearchParams, kind: string): JsonObject {
  if (kind.endsWith('ProxyOptions')) {
    const path = query.get('path')
    return path === null ? {} : { path }
  }
  if (kind === 'PodPortForwardOptions') {
    const ports = query.getAll('ports').flatMap((text) => text.split(',').map(Number))
    return ports.length === 0 ? {} : { ports }
  }
  const options: JsonObject = {}
  for (const name of ['stdin', 'stdout', 'stderr', 'tty']) {
    const value = query.get(name)
    if (value !== null && value !== 'false' && value !== '0') options[name] = true
  }
  const container = query.get('container')
  if (container !== null && container !== '') options['container'] = container
  if (kind === 'PodExecOptions') options['command'] = query.getAll('command')
  return options
}

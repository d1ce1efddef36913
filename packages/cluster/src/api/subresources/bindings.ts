import type { JsonObject } from 'setpoint/schema'
import { topologyLabelsOf } from '../../admission/index.ts'
import { formatTime, isTerminating, keyOf, metadataOf, nameOf } from '../../object/index.ts'
import { badRequest, conflict, notFound, unexpectedError } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { readObject } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { typedTarget } from '../typed-target.ts'
import { commitPut } from '../verbs/commit.ts'
import { admitPosted } from './admit-subresource.ts'
import { setPodCondition } from './pod-condition.ts'
import { done, readPosted } from './posted-object.ts'

const target = typedTarget({ group: '', version: 'v1', kind: 'Binding' })
const pods = { group: '', resource: 'pods' }

/** POST of a Binding to its own collection or to a pod: sets the node of the pod. */
export async function bindPod(
  request: ApiRequest,
  resource: ServedResource,
  posted = resource,
): Promise<JsonAnswer> {
  const { object: binding, options } = await readPosted(request, target)
  const name = request.info.subresource === '' ? nameOf(binding) : request.info.name
  if (name !== nameOf(binding)) {
    throw badRequest('name in URL does not match name in Binding object')
  }
  await admitPosted(request, posted, {
    target,
    object: binding,
    manager: options.fieldManager,
    isDryRun: options.isDryRun,
  })
  const node = targetNode(binding)
  if (name === '') throw badRequest('Name parameter required.')
  const stored = request.server.store.get(resource.bucket, keyOf(request.info.namespace, name))
  if (stored === undefined) throw notFound(pods, name)
  const pod = readObject(resource, stored)
  checkPreconditions(binding, pod, `${resource.registryPrefix}/${stored.key}`)
  checkUnbound(pod)
  const spec = pod['spec'] as JsonObject
  spec['nodeName'] = node
  setPodCondition(
    pod,
    { type: 'PodScheduled', status: 'True' },
    formatTime(request.server.host.now()),
  )
  copyMetadata(binding, pod)
  copyTopologyLabels(request, pod, node)
  if (!options.isDryRun) commitPut(request, { resource, object: pod, expected: stored.revision })
  return done
}

function targetNode(binding: JsonObject): string {
  const { kind = '', name = '' } = (binding['target'] ?? {}) as { kind?: string; name?: string }
  const problems: string[] = []
  if (!['', 'Node'].includes(kind)) {
    problems.push(
      `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
    )
  }
  if (name === '') problems.push('target.name: Required value')
  if (problems.length > 0) {
    throw unexpectedError(problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`)
  }
  return name
}

/** A binding may have the uid and the resourceVersion of its pod as preconditions. */
function checkPreconditions(binding: JsonObject, pod: JsonObject, key: string): void {
  const expected = metadataOf(binding)
  const found = metadataOf(pod)
  const problems = [
    ['UID', expected.uid, found.uid],
    ['ResourceVersion', expected.resourceVersion, found.resourceVersion],
  ] as const
  for (const [field, given = '', own = ''] of problems) {
    if (given === '' || given === own) continue
    throw conflict(
      pods,
      nameOf(pod),
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${field} in precondition: ${given}, ${field} in object meta: ${own}`,
    )
  }
}

function checkUnbound(pod: JsonObject): void {
  const name = nameOf(pod)
  const spec = pod['spec'] as { nodeName?: string; schedulingGates?: readonly unknown[] }
  let why: string | undefined
  if (isTerminating(pod)) {
    why = `pod ${name} is being deleted, cannot be assigned to a host`
  } else if ((spec.nodeName ?? '') !== '') {
    why = `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`
  } else if ((spec.schedulingGates ?? []).length > 0) {
    why = `pod ${name} has non-empty .spec.schedulingGates`
  }
  if (why !== undefined) throw conflict({ group: '', resource: 'pods/binding' }, name, why)
}

function copyMetadata(binding: JsonObject, pod: JsonObject): void {
  const { annotations, labels } = metadataOf(binding)
  const metadata = metadataOf(pod)
  if (annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...annotations }
  if (labels !== undefined) metadata.labels = { ...metadata.labels, ...labels }
}

/** Copies the topology labels of the node to the pod. */
function copyTopologyLabels({ server }: ApiRequest, pod: JsonObject, node: string): void {
  const nodes = server.registry.find('', 'v1', 'nodes')
  const stored = nodes && server.store.get(nodes.bucket, node)
  const labels = topologyLabelsOf(stored && readObject(nodes, stored))
  if (Object.keys(labels).length === 0) return
  const metadata = metadataOf(pod)
  metadata.labels = { ...metadata.labels, ...labels }
}

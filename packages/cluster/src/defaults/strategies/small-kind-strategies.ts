import { isJsonObject, type JsonObject } from 'setpoint/schema'
import type { APIService, CustomResourceDefinition, Namespace } from 'setpoint/kinds'
import { itemsOf } from '../items-of.ts'
import { labelNamespace } from '../kinds/core-defaults.ts'
import { metadataOf } from '../../object/index.ts'
import { dropDisabledFields } from './disabled-fields.ts'
import { keepField, listAt, objectAt, valueAt } from './field-access.ts'
import { raiseGeneration } from './raise-generation.ts'
import type { ChangedObject, NewObject, Strategy } from './strategy.ts'
import { semanticEquals } from './semantic-equals.ts'

function createdAt({ object, now }: NewObject): string {
  return now ?? metadataOf(object).creationTimestamp ?? ''
}

function addNamespaceFinalizer({ object }: NewObject): void {
  const namespace = object as unknown as Namespace
  const { spec } = namespace
  const finalizers = spec.finalizers ?? []
  if (!finalizers.includes('kubernetes')) spec.finalizers = [...finalizers, 'kubernetes']
  // A generated name is known only now.
  labelNamespace(namespace)
}

/** Namespaces: finalizers are removed at the finalize subresource. */
export const namespaceStrategy: Strategy = {
  status: 'wiped',
  emptyStatus: () => ({ phase: 'Active' }),
  onCreate: addNamespaceFinalizer,
  onUpdate: ({ object, old }) => {
    keepField(objectAt(object, 'spec'), objectAt(old, 'spec'), 'finalizers')
  },
  subresources: {
    finalize: ({ object, old }) => {
      keepField(object, old, 'status')
    },
  },
}

function stampPhase({ object, old, now }: ChangedObject): void {
  const status = objectAt(object, 'status')
  const before = objectAt(old, 'status')
  const time = 'lastPhaseTransitionTime'
  const isSamePhase = status['phase'] === before['phase']
  if (isSamePhase && status[time] === undefined) keepField(status, before, time)
  else if (!isSamePhase && (status[time] === undefined || status[time] === before[time])) {
    if (now !== undefined) status[time] = now
  }
}

/** Persistent volumes: the server records when the phase changed. */
export const persistentVolumeStrategy: Strategy = {
  status: 'wiped',
  emptyStatus: (created) => ({ phase: 'Pending', lastPhaseTransitionTime: createdAt(created) }),
  onStatusUpdate: stampPhase,
}

/** The storage version is added to `storedVersions`. */
function noteStoredVersion({ object }: NewObject): void {
  const { spec, status } = object as unknown as CustomResourceDefinition
  const stored = itemsOf(spec.versions).find(({ storage }) => storage)
  if (stored === undefined || status === undefined) return
  const versions = status.storedVersions ?? []
  if (!versions.includes(stored.name)) status.storedVersions = [...versions, stored.name]
}

export const customResourceDefinitionStrategy: Strategy = {
  status: 'wiped',
  emptyStatus: () => ({
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: null,
  }),
  startsGeneration: true,
  generationOf: [['spec']],
  onCreate: noteStoredVersion,
  onUpdate: noteStoredVersion,
}

/** An API service without a backend is served by this server, so it is available. */
function localAvailability(created: NewObject): JsonObject {
  const { spec } = created.object as unknown as APIService
  if (spec.service !== undefined) return {}
  return {
    conditions: [
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: createdAt(created),
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ],
  }
}

export const apiServiceStrategy: Strategy = {
  status: 'wiped',
  emptyStatus: localAvailability,
  metadataKeptByStatus: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
}

/** References to secrets have only a name. */
function cleanSecretReferences({ object }: NewObject): void {
  if (object['secrets'] === undefined) return
  object['secrets'] = listAt(object, 'secrets').map((secret): JsonObject => {
    const name = isJsonObject(secret) ? secret['name'] : undefined
    return name === undefined ? {} : { name }
  })
}

export const serviceAccountStrategy: Strategy = {
  onCreate: cleanSecretReferences,
  onUpdate: cleanSecretReferences,
}

function dropTopology({ object }: NewObject): void {
  for (const endpoint of listAt(object, 'endpoints')) {
    if (isJsonObject(endpoint)) Reflect.deleteProperty(endpoint, 'deprecatedTopology')
  }
}

/** Endpoint slices: `deprecatedTopology` can no longer be written. */
export const endpointSliceStrategy: Strategy = {
  startsGeneration: true,
  generationOf: [['endpoints'], ['ports'], ['addressType'], ['metadata', 'labels']],
  onCreate: dropTopology,
  onUpdate: (changed) => {
    const path = ['endpoints']
    if (!semanticEquals(valueAt(changed.object, path), valueAt(changed.old, path))) {
      // The generation counts what was sent.
      raiseGeneration(changed.object, changed.old)
      dropTopology(changed)
    }
  },
}

/** Secrets keep their type when an update omits it. */
export const secretStrategy: Strategy = {
  onUpdate: ({ object, old }) => {
    if (object['type'] === undefined) keepField(object, old, 'type')
  },
}

/** Limit ranges are the only objects that need no name: the server generates one. */
export const limitRangeStrategy: Strategy = {
  onCreate: ({ object, newUid }) => {
    const metadata = metadataOf(object)
    if ((metadata.name ?? '') === '') metadata.name = newUid?.() ?? metadata.uid ?? ''
  },
}

/** The allocatable amounts of a node are its capacity by default; sent empty, only for reads. */
export function allocatableByDefault(node: JsonObject): JsonObject | undefined {
  const status = objectAt(node, 'status')
  const { capacity, allocatable } = status
  if (capacity === undefined || allocatable !== undefined) return undefined
  return { ...node, status: { ...status, allocatable: capacity } }
}

/** The taints of devices have the time when they were added. */
export function stampTaints({ object, now }: NewObject): void {
  for (const device of listAt(objectAt(object, 'spec'), 'devices')) {
    for (const taint of listAt(isJsonObject(device) ? device : {}, 'taints')) {
      if (isJsonObject(taint) && now !== undefined) taint['timeAdded'] ??= now
    }
  }
}

/** Nodes may be created with a status. */
export const nodeStrategy: Strategy = {
  status: 'kept',
  onStatusUpdate: ({ object, old }) => {
    dropDisabledFields('Node', object, old)
  },
}

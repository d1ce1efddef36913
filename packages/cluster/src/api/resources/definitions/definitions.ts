import type { JsonObject } from 'setpoint/schema'
import { recordUpdate } from '../../../apply/index.ts'
import { formatTime, isTerminating, metadataOf, nameOf } from '../../../object/index.ts'
import type { StoredObject } from '../../../store/index.ts'
import { readObject, storedText } from '../../object-text.ts'
import { customResources, definitionSpec, type DefinitionNames } from '../custom-resources.ts'
import { nameConflict } from './definition-name-conflict.ts'
import { conditionsOf, setCondition, type Condition } from './definition-conditions.ts'
import type { DefinitionsContext } from './definitions-context.ts'
import type { ServedResource } from '../served-resource.ts'

/** The bucket of CustomResourceDefinitions in the store. */
export const definitionsBucket = 'apiextensions.k8s.io/customresourcedefinitions'

/**
 * The controllers of a real server for definitions, run synchronously with the write: they accept
 * or refuse names, serve the resources and report it in the status. A client can use the resource
 * with the first request after its create.
 */
export class Definitions {
  readonly #context: DefinitionsContext
  /** The served part of each definition as text, to skip changes that do not affect it. */
  readonly #offered = new Map<string, string>()

  constructor(context: DefinitionsContext) {
    this.#context = context
  }

  /** Serves the stored definitions, after a start from a snapshot. */
  loadAll(): void {
    for (const stored of this.#context.store.list(definitionsBucket, '')) this.changed(stored)
  }

  /** A definition was created or changed. */
  changed(stored: StoredObject): void {
    const resource = this.#resource()
    let current = stored
    const isBeingDeleted = isTerminating(readObject(resource, current))
    for (const step of [acceptNames, establish] as const) {
      if (isBeingDeleted) break
      const updated = step(readObject(resource, current), this.#context)
      if (updated !== undefined) current = this.#writeStatus(current, updated)
    }
    this.#offer(readObject(resource, current), current.revision)
  }

  /** A definition was deleted: its resources are no longer served. */
  removed(name: string): void {
    this.#offered.delete(name)
    this.#context.registry.setCustom(name, [])
    this.#context.offered()
    // Its names are free now, and another definition may be waiting for them.
    for (const stored of [...this.#context.store.list(definitionsBucket, '')]) {
      if (stored.key !== name) this.changed(stored)
    }
  }

  #offer(definition: JsonObject, revision: number): void {
    const conditions = conditionsOf(definition)
    const isEstablished = conditions.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    )
    const name = nameOf(definition)
    const servedPart = JSON.stringify([
      isEstablished,
      definition['spec'],
      statusOf(definition).acceptedNames,
    ])
    if (this.#offered.get(name) === servedPart) {
      // A terminating definition keeps its objects and their watches; only creates are refused.
      for (const one of this.#resourcesOf(definition)) one.isTerminating = isTerminating(definition)
      return
    }
    this.#offered.set(name, servedPart)
    const { registry, conversionCalls } = this.#context
    const [known] = this.#resourcesOf(definition)
    const first = known?.isCustom === true ? known.firstRevision : revision
    registry.setCustom(
      name,
      isEstablished ? customResources(definition, first, conversionCalls) : [],
    )
    this.#context.offered()
  }

  #resourcesOf(definition: JsonObject): ServedResource[] {
    const bucket = bucketOf(definition)
    return this.#context.registry.all().filter((resource) => resource.bucket === bucket)
  }

  #writeStatus(stored: StoredObject, updated: JsonObject): StoredObject {
    const resource = this.#resource()
    const object = recordUpdate({
      live: readObject(resource, stored),
      updated,
      schema: resource.applySchema(),
      schemaOfVersion: resource.applySchemaOf,
      by: {
        manager: 'kube-apiserver',
        apiVersion: resource.apiVersion,
        subresource: 'status',
        timeSeconds: formatTime(this.#context.now()),
      },
      reset: resource.resetFields('status'),
    })
    return this.#context.store.put({
      bucket: definitionsBucket,
      key: stored.key,
      expected: stored.revision,
      schemaTag: stored.schemaTag,
      labels: metadataOf(object).labels,
      serialise: (revision) => storedText(object, revision),
    })
  }

  #resource(): ServedResource {
    const { registry } = this.#context
    const resource = registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
    if (resource === undefined) throw new Error('customresourcedefinitions are not served')
    return resource
  }
}

function bucketOf(definition: JsonObject): string {
  const { group, names } = definitionSpec(definition)
  return `${group}/${names.plural}`
}

interface DefinitionStatus {
  conditions?: Condition[]
  acceptedNames?: DefinitionNames
  storedVersions?: string[]
}

function statusOf(definition: JsonObject): DefinitionStatus {
  return (definition['status'] ??= {}) as unknown as DefinitionStatus
}

/** Accepts or refuses the names; `undefined` when the status does not change. */
function acceptNames(definition: JsonObject, context: DefinitionsContext): JsonObject | undefined {
  const before = JSON.stringify(statusOf(definition))
  const status = statusOf(definition)
  const conflict = nameConflict(definition, context)
  const now = formatTime(context.now())
  if (conflict === undefined) {
    status.acceptedNames = definitionSpec(definition).names
    setCondition(definition, now, {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    })
    if (!conditionsOf(definition).some(({ type }) => type === 'Established')) {
      setCondition(definition, now, {
        type: 'Established',
        status: 'False',
        reason: 'Installing',
        message: 'the initial names have been accepted',
      })
    }
  } else {
    status.acceptedNames = conflict.accepted
    setCondition(definition, now, { type: 'NamesAccepted', status: 'False', ...conflict.cause })
    if (!conditionsOf(definition).some(({ type }) => type === 'Established')) {
      setCondition(definition, now, {
        type: 'Established',
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
      })
    }
  }
  return JSON.stringify(status) === before ? undefined : definition
}

/** Once its names were accepted, a definition stays established. */
function establish(definition: JsonObject, context: DefinitionsContext): JsonObject | undefined {
  const conditions = conditionsOf(definition)
  const isAccepted = conditions.some(
    ({ type, status }) => type === 'NamesAccepted' && status === 'True',
  )
  const isEstablished = conditions.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  )
  if (!isAccepted || isEstablished) return undefined
  setCondition(definition, formatTime(context.now()), {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  })
  return definition
}

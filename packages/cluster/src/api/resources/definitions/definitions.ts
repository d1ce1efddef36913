import type { JsonObject } from 'setpoint/schema'
import { recordUpdate } from '../../../apply/index.ts'
import { formatTime, isTerminating, metadataOf, nameOf } from '../../../object/index.ts'
import type { StoredObject } from '../../../store/index.ts'
import { readObject, storedText } from '../../object-text.ts'
import { customResources, definitionSpec, type DefinitionNames } from '../custom-resources.ts'
import { decideNames, sameNames } from './accepted-names.ts'
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
  /** The names of each definition. */
  readonly #names = new Map<string, HeldNames>()

  constructor(context: DefinitionsContext) {
    this.#context = context
  }

  /** Serves the stored definitions, after a start from a snapshot. */
  loadAll(): void {
    const all = [...this.#context.store.list(definitionsBucket, '')]
    const resource = this.#resource()
    // All names are known before the first definition is checked.
    for (const stored of all) this.#noteNames(readObject(resource, stored))
    for (const stored of all) this.changed(stored)
  }

  /** A definition was created or changed. */
  changed(stored: StoredObject): void {
    const resource = this.#resource()
    let current = stored
    const isBeingDeleted = isTerminating(readObject(resource, current))
    const now = formatTime(this.#context.now())
    const accept = (definition: JsonObject): JsonObject | undefined =>
      acceptNames(definition, this.#othersOf(definition), now)
    const establishNow = (definition: JsonObject): JsonObject | undefined =>
      establish(definition, now)
    for (const step of isBeingDeleted ? [] : [accept, establishNow]) {
      const updated = step(readObject(resource, current))
      if (updated !== undefined) current = this.writeStatus(current, updated)
    }
    const definition = readObject(resource, current)
    const hasNewNames = this.#noteNames(definition)
    this.#offer(definition, current.revision)
    if (hasNewNames) this.#retryNames(definitionSpec(definition).group, stored.key)
  }

  /** Remembers the names of a definition. Returns whether they changed. */
  #noteNames(definition: JsonObject): boolean {
    const { group, names } = definitionSpec(definition)
    const accepted = statusOf(definition).acceptedNames ?? { plural: '', kind: '' }
    const before = this.#names.get(nameOf(definition))
    const isComplete = sameNames(names, accepted)
    this.#names.set(nameOf(definition), { group, accepted, isComplete })
    return before === undefined || !sameNames(before.accepted, accepted)
  }

  #othersOf(definition: JsonObject): DefinitionNames[] {
    const { group } = definitionSpec(definition)
    return [...this.#names]
      .filter(([name, held]) => held.group === group && name !== nameOf(definition))
      .map(([, { accepted }]) => accepted)
  }

  /** Names of a group may be free now: checks the definitions that wait for some. */
  #retryNames(group: string, except: string): void {
    for (const [name, held] of [...this.#names]) {
      if (held.group !== group || held.isComplete || name === except) continue
      const stored = this.#context.store.get(definitionsBucket, name)
      if (stored !== undefined) this.changed(stored)
    }
  }

  /** A definition was deleted: its resources are no longer served. */
  removed(name: string): void {
    this.#offered.delete(name)
    this.#context.registry.setCustom(name, [])
    this.#context.offered()
    const held = this.#names.get(name)
    this.#names.delete(name)
    if (held !== undefined) this.#retryNames(held.group, name)
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

  /** Writes the status of a definition as the server itself. */
  writeStatus(stored: StoredObject, updated: JsonObject): StoredObject {
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

/** The names of a definition in its group. */
interface HeldNames {
  readonly group: string
  readonly accepted: DefinitionNames
  /** All the names that it requested were accepted. */
  readonly isComplete: boolean
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
function acceptNames(
  definition: JsonObject,
  others: readonly DefinitionNames[],
  now: string,
): JsonObject | undefined {
  const status = statusOf(definition)
  const { names } = definitionSpec(definition)
  // As on a real server, a definition that gives up a conflict keeps the condition about it.
  if (sameNames(names, status.acceptedNames)) return undefined
  const before = JSON.stringify(status)
  const { accepted, problem } = decideNames(names, status.acceptedNames, others)
  status.acceptedNames = accepted
  setCondition(definition, now, {
    type: 'NamesAccepted',
    status: problem === undefined ? 'True' : 'False',
    ...(problem ?? { reason: 'NoConflicts', message: 'no conflicts found' }),
  })
  const established = conditionsOf(definition).find(({ type }) => type === 'Established')
  if (problem === undefined && established?.status !== 'True') {
    setCondition(definition, now, {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    })
  } else if (established === undefined) {
    setCondition(definition, now, {
      type: 'Established',
      status: 'False',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    })
  }
  return JSON.stringify(status) === before ? undefined : definition
}

/** Once its names were accepted, a definition stays established. */
function establish(definition: JsonObject, now: string): JsonObject | undefined {
  const conditions = conditionsOf(definition)
  const isAccepted = conditions.some(
    ({ type, status }) => type === 'NamesAccepted' && status === 'True',
  )
  const isEstablished = conditions.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  )
  if (!isAccepted || isEstablished) return undefined
  setCondition(definition, now, {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  })
  return definition
}

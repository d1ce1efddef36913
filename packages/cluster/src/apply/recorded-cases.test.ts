import { readdirSync, readFileSync } from 'node:fs'
import {
  applyDefaults,
  isJsonObject,
  pruneUnknown,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { builtinData } from '../data/index.ts'
import { ApiError } from '../status/index.ts'
import {
  applyConfiguration,
  builtinApplySchema,
  builtinResetFields,
  customResetFields,
  customScaleRefusal,
  keepManagerTimes,
  managersFromScale,
  managersOfScale,
  recordUpdate,
  resetNothing,
  structuralApplySchema,
  type ApplySchema,
  type ReplicasPaths,
} from './index.ts'
import { managedFieldsOf, withManagedFields } from './managed-fields.ts'
import type { WriteContext } from './record-update.ts'

interface RecordedStep {
  readonly verb: string
  readonly by: string
  readonly force?: boolean
  readonly subresource?: string
  readonly apiVersion: string
  readonly live: JsonObject | 'previous' | null
  readonly body: JsonValue
  readonly code: number
  readonly answer: JsonObject
}

interface RecordedSequence {
  readonly name: string
  readonly kind: string
  readonly apiVersion: string
  readonly steps: readonly RecordedStep[]
}

interface RecordedDefinition {
  readonly kind: string
  readonly group: string
  readonly versions: readonly {
    readonly name: string
    readonly schema: { readonly openAPIV3Schema: StructuralSchema }
    readonly subresources?: { readonly status?: object; readonly scale?: object }
  }[]
}

const folder = new URL('testdata/', import.meta.url)

function read<T>(file: string | URL): T[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as T)
}

const definitions = read<RecordedDefinition>(new URL('definitions.jsonl', folder))

function definitionName(apiVersion: string, kind: string): string {
  for (const [name, definition] of Object.entries(builtinData.schemas().schemas)) {
    const kinds = definition['x-kubernetes-group-version-kind']
    const found =
      Array.isArray(kinds) &&
      kinds.some((item) => {
        const { group, version, kind: other } = item as Record<string, string>
        const text = group === '' ? version : `${group}/${version}`
        return text === apiVersion && other === kind
      })
    if (found) return name
  }
  throw new Error(`no definition of ${apiVersion} ${kind}`)
}

function schemaOf(apiVersion: string, kind: string): ApplySchema | undefined {
  const custom = definitions.find((definition) => definition.kind === kind)
  if (custom === undefined) {
    return apiVersion.endsWith('/v9')
      ? undefined
      : builtinApplySchema(definitionName(apiVersion, kind))
  }
  const version = custom.versions.find(({ name }) => `${custom.group}/${name}` === apiVersion)
  return version === undefined ? undefined : structuralApplySchema(version.schema.openAPIV3Schema)
}

function resetOf(kind: string, apiVersion: string, subresource: string) {
  const custom = definitions.find((definition) => definition.kind === kind)
  if (custom === undefined) return builtinResetFields(kind, subresource, [apiVersion])
  const withStatus = custom.versions
    .filter(({ subresources }) => subresources?.status !== undefined)
    .map(({ name }) => `${custom.group}/${name}`)
  return customResetFields({ apiVersion, subresource, withStatus })
}

function replicasPaths(kind: string): ReplicasPaths {
  const custom = definitions.find((definition) => definition.kind === kind)
  if (custom === undefined) return { 'apps/v1': ['spec', 'replicas'] }
  return Object.fromEntries(
    custom.versions.map(({ name }) => [`${custom.group}/${name}`, ['spec', 'replicas']]),
  )
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The time of the write, if it set one: the time of an entry which is new or has another time. */
function timeOfWrite(live: JsonObject | undefined, answer: JsonObject): string {
  const times = (object: JsonObject | undefined) => {
    const entries = managedFieldsOf(object)
    return (Array.isArray(entries) ? (entries as JsonObject[]) : []).map((entry) => {
      const { manager, operation, apiVersion, subresource, time } = entry
      const id = JSON.stringify([manager, operation, apiVersion, subresource])
      return { id, manager, time: textOf(time) }
    })
  }
  const others = ['kube-controller-manager', 'ancient-changes']
  const before = times(live)
  const written = times(answer).filter(
    ({ id, manager, time }) =>
      !others.includes(textOf(manager)) &&
      !before.some((entry) => entry.id === id && entry.time === time),
  )
  const sorted = written.map(({ time }) => time).sort()
  return sorted.at(-1) ?? '2099-01-01T00:00:00Z'
}

/** Fields that admission and allocation add after managedFields are recorded, by kind. */
const addedLater: Readonly<Record<string, readonly string[]>> = {
  Pod: ['tolerations', 'priority', 'preemptionPolicy', 'serviceAccount', 'serviceAccountName'],
  Service: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
  Job: ['selector'],
}

function beforeAdmission(kind: string, answer: JsonObject, step: RecordedStep): JsonObject {
  const spec = answer['spec']
  if (step.verb !== 'post' || !isJsonObject(spec)) return answer
  const sent = isJsonObject(step.body) && isJsonObject(step.body['spec']) ? step.body['spec'] : {}
  const dropped = (addedLater[kind] ?? []).filter((name) => !Object.hasOwn(sent, name))
  const kept = Object.entries(spec).filter(([name]) => !dropped.includes(name))
  let rest: JsonObject = { ...answer, spec: Object.fromEntries(kept) }
  if (kind === 'Service' && Array.isArray(spec['ports'])) {
    const ports = spec['ports'].map((port) => {
      const { nodePort: _allocated, ...fields } = port as JsonObject
      return fields
    })
    rest = { ...rest, spec: { ...(rest['spec'] as JsonObject), ports } }
  }
  if (kind === 'Job') {
    const template = (rest['spec'] as JsonObject)['template'] as JsonObject
    rest = {
      ...rest,
      spec: { ...(rest['spec'] as JsonObject), template: { ...template, metadata: {} } },
    }
  }
  if (kind === 'Job') {
    const { labels: _labels, ...metadata } = rest['metadata'] as JsonObject
    rest = { ...rest, metadata }
  }
  if (kind === 'Pod' || kind === 'Job') rest = { ...rest, status: {} }
  return rest
}

/** Fields that only one of two versions has are lost in storage, but they are compared. */
function withLostFields(kind: string, answer: JsonObject, step: RecordedStep): JsonObject {
  const sent = isJsonObject(step.body) ? step.body['spec'] : undefined
  if (kind !== 'Evolving' || step.verb !== 'merge' || !isJsonObject(sent)) return answer
  return { ...answer, spec: { ...(answer['spec'] as JsonObject), ...sent } }
}

/** The client's object, as the server has it before admission. */
function updatedObject(kind: string, live: JsonObject | undefined, step: RecordedStep): JsonObject {
  const expected = withLostFields(kind, beforeAdmission(kind, step.answer, step), step)
  const metadata = isJsonObject(step.body) ? step.body['metadata'] : undefined
  const sent = isJsonObject(metadata) ? metadata['managedFields'] : undefined
  const isPatch = step.verb !== 'post' && step.verb !== 'put'
  const managedFields = sent === undefined && isPatch ? managedFieldsOf(live) : sent
  return withManagedFields(expected, Array.isArray(managedFields) ? managedFields : undefined)
}

function contextOf(kind: string, live: JsonObject | undefined, step: RecordedStep): WriteContext {
  const subresource = step.subresource ?? ''
  const schema = schemaOf(step.apiVersion, kind)
  if (schema === undefined) throw new Error('no schema')
  return {
    schema,
    schemaOfVersion: (apiVersion) => schemaOf(apiVersion, kind),
    by: {
      manager: step.by,
      apiVersion: step.apiVersion,
      subresource,
      timeSeconds: timeOfWrite(live, step.answer),
    },
    reset: resetOf(kind, step.apiVersion, subresource),
  }
}

function scaleObject(live: JsonObject, kind: string, replicas: JsonValue): JsonObject {
  const managedFields = managersOfScale(managedFieldsOf(live), replicasPaths(kind))
  const { uid, name, namespace } = live['metadata'] as JsonObject
  const metadata = { uid: uid ?? '', name: name ?? '', namespace: namespace ?? '' }
  // Go omits zero replicas.
  const spec = replicas === 0 ? {} : { replicas }
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec }
  return withManagedFields(scale, managedFields)
}

function replicasOf(object: JsonValue | undefined): JsonValue {
  const spec = isJsonObject(object) ? object['spec'] : undefined
  return (isJsonObject(spec) ? spec['replicas'] : undefined) ?? 0
}

function replayScale(kind: string, live: JsonObject, step: RecordedStep) {
  const context = contextOf(kind, live, step)
  const input = {
    ...context,
    schema: builtinApplySchema('io.k8s.api.autoscaling.v1.Scale'),
    by: { ...context.by, apiVersion: 'autoscaling/v1' },
    reset: resetNothing,
    live: scaleObject(live, kind, replicasOf(live)),
  }
  let scale: JsonObject
  if (step.verb === 'apply') {
    const config = step.body as JsonObject
    const outcome = applyConfiguration({ ...input, config, force: step.force === true })
    if (outcome.changed && context.schema.isCustom) throw customScaleRefusal(config)
    scale = outcome.object
  } else {
    const updated = scaleObject(live, kind, replicasOf(step.answer))
    scale = recordUpdate({ ...input, updated })
  }
  const managers = managersFromScale({
    parent: managedFieldsOf(live),
    scale: managedFieldsOf(scale),
    apiVersion: step.apiVersion,
    paths: replicasPaths(kind),
  })
  return withManagedFields(step.answer, managers)
}

function replay(kind: string, live: JsonObject | undefined, step: RecordedStep): JsonObject {
  if (step.subresource === 'scale' && live !== undefined) return replayScale(kind, live, step)
  const context = contextOf(kind, live, step)
  if (step.verb !== 'apply') {
    return recordUpdate({ ...context, live, updated: updatedObject(kind, live, step) })
  }
  const config = step.body as JsonObject
  return applyConfiguration({ ...context, live, config, kind, force: step.force === true }).object
}

function finished(live: JsonObject | undefined, step: RecordedStep, replayed: JsonObject) {
  const managers = managedFieldsOf(replayed)
  const object = withManagedFields(step.answer, Array.isArray(managers) ? managers : undefined)
  return managedFieldsOf(live === undefined ? object : keepManagerTimes(live, object))
}

/** A custom resource after pruning of nulls and defaulting. */
function defaultedSpec(kind: string, apiVersion: string, object: JsonObject): JsonValue {
  const custom = definitions.find((definition) => definition.kind === kind)
  const version = custom?.versions.find(({ name }) => apiVersion.endsWith(`/${name}`))
  const schema = version?.schema.openAPIV3Schema.properties?.['spec']
  const spec = object['spec'] ?? null
  if (schema === undefined || spec === null) return spec
  return applyDefaults(schema, pruneUnknown(schema, spec).value)
}

/**
 * A server lists the errors of an object, and the causes of different managers, in random order.
 */
function inAnyOrder(status: JsonObject): JsonValue {
  const details = status['details']
  const causes = isJsonObject(details) ? details['causes'] : undefined
  const message = textOf(status['message']).split('\n').sort()
  if (!Array.isArray(causes)) return { ...status, message }
  return { ...status, message, details: causes.map((cause) => JSON.stringify(cause)).sort() }
}

/** Fields of a merged object that the answer lacks: defaults only add fields. */
function lostFields(merged: JsonValue, answer: JsonValue | undefined, path: string): string[] {
  if (isJsonObject(merged)) {
    return Object.entries(merged).flatMap(([name, value]) => {
      const isOther = value === null || changedElsewhere.has(name)
      const there = isJsonObject(answer) ? answer[name] : undefined
      return isOther ? [] : lostFields(value, there, `${path}.${name}`)
    })
  }
  if (!Array.isArray(merged)) return merged === answer ? [] : [path]
  if (!Array.isArray(answer)) return merged.length === 0 ? [] : [path]
  if (answer.length !== merged.length) return [`${path} has ${merged.length} items`]
  return merged.flatMap((item, index) => lostFields(item, answer[index], `${path}[${index}]`))
}

/** Written by the server or by other controllers, or pruned and converted after the merge. */
const changedElsewhere = new Set([
  'generation',
  'resourceVersion',
  'managedFields',
  'status',
  'inner',
])

function withoutControllers(entries: JsonValue | undefined): JsonValue[] {
  return (Array.isArray(entries) ? entries : []).filter(
    (entry) => (entry as JsonObject)['manager'] !== 'kube-controller-manager',
  )
}

function checkStep(sequence: RecordedSequence, live: JsonObject | undefined, step: RecordedStep) {
  const { kind } = sequence
  if (step.code < 300) {
    const replayed = replay(kind, live, step)
    if (step.subresource === 'scale') {
      // The answer was read after the write: controllers may have written too.
      const actual = withoutControllers(finished(live, step, replayed))
      expect(actual).toEqual(withoutControllers(managedFieldsOf(step.answer)))
      return
    }
    expect(finished(live, step, replayed)).toEqual(managedFieldsOf(step.answer))
    // Custom resources are printed with sorted keys at all levels, Go structs are not.
    if (!definitions.some((definition) => definition.kind === kind)) {
      const text = JSON.stringify(managedFieldsOf(step.answer))
      expect(JSON.stringify(finished(live, step, replayed))).toBe(text)
    }
    // Other endpoints drop other fields, and a Secret moves its stringData to data.
    if (step.verb === 'apply' && step.subresource === undefined && kind !== 'Secret') {
      expect(lostFields(replayed, step.answer, '')).toEqual([])
    }
    if (step.verb === 'apply' && kind === 'Gadget' && step.subresource === undefined) {
      const defaulted = defaultedSpec(kind, step.apiVersion, replayed)
      expect(defaulted ?? {}).toEqual(step.answer['spec'] ?? {})
    }
    return
  }
  if (step.verb !== 'apply' || step.code === 422) return
  try {
    replay(kind, live, step)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const status = JSON.parse(JSON.stringify(error.status)) as JsonObject
    expect(inAnyOrder(status)).toEqual(inAnyOrder(step.answer))
    return
  }
  expect('no error').toEqual(step.answer['message'])
}

const files = process.env['APPLY_CASES']
const paths =
  files === undefined
    ? readdirSync(folder)
        .filter((name) => name !== 'definitions.jsonl')
        .map((name) => new URL(name, folder))
    : [files]

for (const path of paths) {
  const sequences = read<RecordedSequence>(path)
  describe(`recorded from a server: ${sequences[0]?.kind ?? ''}`, () => {
    for (const sequence of sequences) {
      it(sequence.name, () => {
        let previous: JsonObject | undefined
        for (const step of sequence.steps) {
          const live = step.live === 'previous' ? previous : (step.live ?? undefined)
          checkStep(sequence, live, step)
          if (step.code < 300) previous = step.answer
        }
      })
    }
  })
}

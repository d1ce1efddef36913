/** Conversion between the versions of a resource, always through the hub version. */
import { declaredStatus } from './status/declared-status.ts'
import { SetpointError } from '../errors/index.ts'
import type { ObjectMeta } from '../kinds/metadata.ts'
import { pruneUnknown, type JsonValue } from '../schema/index.ts'
import { losslessStep } from './lossless-step.ts'
import { parseOrThrow, parseResource, type LooseObject } from './parse-resource.ts'
import { plainJson } from './plain-json.ts'
import type { ResourceModel, VersionModel } from './resource-model.ts'
import type { Convert } from './options/loose-options.ts'
import type { MetadataChange } from './options/resource-options.ts'

/**
 * Converts an object to another version. The input is parsed first, and the result after each step,
 * so that a missing required field is found here and not by the server.
 */
export function convertResource(model: ResourceModel, input: unknown, to: string): LooseObject {
  const apiVersion = (input as { readonly apiVersion?: unknown } | null)?.apiVersion
  const source = model.versions.find((version) => `${model.group}/${version.name}` === apiVersion)
  const target = model.versions.find((version) => version.name === to)
  const [hub] = model.versions
  if (source === undefined || target === undefined) {
    const known = model.versions.map((version) => version.name).join(', ')
    throw new SetpointError(
      'CONVERSION_FAILED',
      `${model.kind}.${model.group} cannot be converted from ${JSON.stringify(apiVersion)} to ${JSON.stringify(to)}`,
      { hint: `the definition has the versions ${known}` },
    )
  }
  const parsed = parseOrThrow(model, { version: source, rules: 'skip' }, input)
  if (source === target) return parsed
  const upgraded = step(model, { object: parsed, from: source, to: hub })
  return step(model, { object: upgraded, from: hub, to: target })
}

/** A step between the hub and another version, or nothing if both are the hub. */
interface Step {
  readonly object: LooseObject
  readonly from: VersionModel
  readonly to: VersionModel
}

function step(model: ResourceModel, { object, from, to }: Step): LooseObject {
  const conversion = from.conversion ?? to.conversion
  if (conversion === undefined) return object
  const isUp = from.conversion !== undefined
  const { up, down, isLossless } = conversion
  const there = (each: LooseObject): LooseObject =>
    converted(model, { object: each, to, convert: isUp ? up : down })
  try {
    if (!isLossless) return there(object)
    const back = (each: LooseObject): LooseObject =>
      converted(model, { object: each, to: from, convert: isUp ? down : up })
    const valid = (each: LooseObject): LooseObject | undefined => {
      const result = parseResource(model, { version: to, rules: 'skip' }, each)
      return result.success ? result.data : undefined
    }
    return losslessStep(object, { from, to, there, back, valid })
  } catch (cause) {
    const name = JSON.stringify(object.metadata['name'] ?? '(no name)')
    throw new SetpointError(
      'CONVERSION_FAILED',
      `${model.kind} ${name} could not be converted from ${object.apiVersion} to ${to.name}: ${String(cause instanceof Error ? cause.message : cause)}`,
      { hint: 'check the up and down functions of that version', cause },
    )
  }
}

interface Call {
  readonly object: LooseObject
  readonly to: VersionModel
  readonly convert: Convert
}

/** The checked result of a function of the author. */
function converted(model: ResourceModel, { object, to, convert }: Call): LooseObject {
  const { spec, status } = object
  const metadata = object.metadata as ObjectMeta
  const result = convert({ metadata, spec, ...(status === undefined ? {} : { status }) })
  // What the framework keeps in the status is the same in all versions.
  const [declared] = declaredStatus(status ?? {})
  const convertedStatus =
    Object.keys(declared).length === 0
      ? result.status
      : { ...(result.status as object | undefined), ...declared }
  const content = {
    metadata: changedMetadata(metadata, result.metadata),
    spec: result.spec,
    ...(convertedStatus === undefined ? {} : { status: convertedStatus }),
  }
  rejectUnknownFields(to, content)
  return parseOrThrow(model, { version: to, rules: 'skip' }, content)
}

/**
 * The compiler does not find an extra field in a conversion's result, and parsing would drop it.
 */
function rejectUnknownFields(to: VersionModel, converted: object): void {
  const { prunedPaths } = pruneUnknown(to.schema, plainJson(converted) as JsonValue, {
    isResourceRoot: true,
  })
  if (prunedPaths.length > 0) {
    throw new SetpointError(
      'CONVERSION_FAILED',
      `${to.name} has no field ${prunedPaths.join(', ')}`,
    )
  }
}

/** A server refuses a conversion that changes other metadata. */
function changedMetadata(metadata: ObjectMeta, change: MetadataChange = {}): ObjectMeta {
  return {
    ...metadata,
    ...(change.labels === undefined ? {} : { labels: merged(metadata.labels, change.labels) }),
    ...(change.annotations === undefined
      ? {}
      : { annotations: merged(metadata.annotations, change.annotations) }),
  }
}

function merged(
  before: Readonly<Record<string, string>> = {},
  change: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const entries = Object.entries({ ...before, ...change })
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  )
}

import { goJson, goQuote, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { unconvertibleRefusal, unversionedRefusal } from '../../../apply/index.ts'
import { decodeObjectMeta, encodeJson, TypedDecodeError } from '../../../codec/index.ts'
import { goPlain, withoutNullFields } from '../../../patch/index.ts'
import { internalError, unexpectedError, type ApiError } from '../../../status/index.ts'
import type { ApiRequest } from '../../api-request.ts'
import { otherInternalKindProblem, otherKindProblem, reportFields } from '../../body.ts'
import { jsonKind } from '../../json-kind.ts'
import type { WriteOptions } from '../../options/write-options.ts'
import { UnversionedError } from '../../resources/builtin-strategy.ts'
import type { DecodedObject, DefaultingOptions } from '../../resources/served-resource.ts'
import type { DecodeTarget } from '../../typed-target.ts'
import { conversionProblem } from '../conversion-problem.ts'
import { patchRefusal } from './patch-refusal.ts'
import type { ReadPatch } from './read-patch.ts'

/** The result of a patch. */
interface PatchedValue {
  readonly value: JsonObject
  readonly options: WriteOptions
  /** The patch, except for an apply, whose result has a known kind. */
  readonly patch?: ReadPatch
  /** The object before the patch. */
  readonly live?: JsonObject
  /** The applied configuration, for an apply. */
  readonly config?: JsonObject
  readonly defaulting?: DefaultingOptions
}

/** Decodes a patched object; a decoding error is reported as an error of the patch. */
export async function decodePatched(
  request: ApiRequest,
  resource: DecodeTarget,
  patched: PatchedValue,
): Promise<JsonObject> {
  const { options, defaulting, patch } = patched
  const mistyped = mistypedIdentity(patched)
  if (mistyped !== undefined) throw invalidPatch(patched, mistyped)
  const isUnversioned = isWithoutVersion(resource, patched)
  const kind = textOf(patched.value['kind'])
  if (isUnversioned && kind !== '' && kind !== resource.kind) {
    throw invalidPatch(patched, otherInternalKindProblem(kind, resource))
  }
  const { object, unknownFields } = isUnversioned
    ? decodedInternal(resource, patched)
    : decodedPatch(resource, patched)
  await request.turns.next()
  const problems = [
    ...(patch?.problems ?? []),
    ...unknownFields.map((field) => `unknown field ${goQuote(field)}`),
  ]
  reportFields(request, problems, {
    validation: options.fieldValidation,
    refuse: (texts) => invalidPatch(patched, `strict decoding error: ${texts}`),
  })
  // Defaults belong to a version.
  const defaulted = isUnversioned ? object : resource.strategy.applyDefaults(object, defaulting)
  await request.turns.next()
  return defaulted
}

/** Go's error for a patched kind or apiVersion that is not a string. */
function mistypedIdentity({ value, patch }: PatchedValue): string | undefined {
  if (patch === undefined || patch.type === 'strategic') return undefined
  for (const name of ['apiVersion', 'kind']) {
    const given = value[name] ?? ''
    if (typeof given === 'string') continue
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(given)} into Go struct field .${name} of type string`
  }
  return undefined
}

/** Whether the result of a patch of a built-in kind has no usable apiVersion. */
function isWithoutVersion(
  { isCustom, isOnlyVersion }: DecodeTarget,
  { value, patch }: PatchedValue,
): boolean {
  if (isCustom || isOnlyVersion === true || patch === undefined || patch.type === 'strategic')
    return false
  return textOf(value['apiVersion']) === ''
}

function decodedPatch(resource: DecodeTarget, patched: PatchedValue): DecodedObject {
  const { value, patch } = patched
  const isLeft = patch === undefined || patch.type === 'strategic'
  const problem = isLeft ? undefined : identityProblem(resource, value)
  if (problem !== undefined) throw invalidPatch(patched, problem)
  try {
    const decoded = resource.strategy.decode(value, { isConverted: isLeft })
    if (!resource.isCustom || textOf(value['apiVersion']) !== '') return decoded
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  } catch (error) {
    if (error instanceof UnversionedError) {
      const { config } = patched
      if (config === undefined) throw unexpectedError(error.message)
      throw unversionedRefusal(config, error.message)
    }
    if (!(error instanceof TypedDecodeError)) throw error
    const why = isLeft ? conversionProblem(error.message) : error.message
    const { config } = patched
    if (config === undefined || resource.isCustom) throw invalidPatch(patched, why)
    throw unconvertibleRefusal(config, restoreProblem(why))
  }
}

/** The error of a patched object whose kind or apiVersion is invalid. */
function identityProblem(resource: DecodeTarget, value: JsonObject): string | undefined {
  const kind = textOf(value['kind'])
  const apiVersion = textOf(value['apiVersion'])
  if (resource.isCustom) {
    if (kind === '') return `Object 'Kind' is missing in '${goJson(value)}'`
    if (value['apiVersion'] !== null) return undefined
    return '.apiVersion accessor error: <nil> is of the type <nil>, expected string'
  }
  const isVersion =
    apiVersion === resource.apiVersion || (apiVersion === '' && resource.isOnlyVersion === true)
  if ((kind === '' || kind === resource.kind) && isVersion) return undefined
  if (apiVersion.split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  const given = { kind: kind === '' ? resource.kind : kind, apiVersion }
  return otherKindProblem(given, resource, value)
}

/**
 * Without an apiVersion, a real server decodes into an internal type, whose fields have other
 * names. Those of its metadata are fields of the object itself.
 */
function decodedInternal({ kind }: DecodeTarget, patched: PatchedValue): DecodedObject {
  const { kind: _kind, apiVersion: _apiVersion, ...fields } = patched.value
  try {
    const { metadata, unknownFields } = decodeObjectMeta(fields)
    const names = unknownFields.map((path) => path.slice('metadata.'.length))
    return { object: { metadata }, unknownFields: names.sort() }
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error
    const place = `Go struct field ${kind}.ObjectMeta.`
    throw invalidPatch(patched, error.message.replace('Go struct field ObjectMeta.', place))
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function invalidPatch({ value, patch, live }: PatchedValue, why: string): ApiError {
  if (patch?.type === 'strategic') {
    return patchRefusal(goPlain(consumed(patch.value, live)), restoreProblem(why))
  }
  return patchRefusal(patch === undefined ? goJson(value) : encodeJson(value), why)
}

/**
 * A strategic patch after it was applied: without `replace`, the nulls of new values, and what was
 * applied first (retained keys and ordered lists). What replaces an object keeps its nulls.
 */
function consumed(patch: JsonValue, live: JsonValue | undefined): JsonValue {
  if (!isJsonObject(patch)) return patch
  const { $patch: directive, ...content } = patch
  if (directive === 'replace') return content
  const orders = Object.keys(patch).filter((key) => key.startsWith(orderPrefix))
  const applied = new Set(['$retainKeys', ...orders, ...orders.map(orderedList)])
  const left = Object.entries(patch).filter(([key]) => !applied.has(key))
  return Object.fromEntries(
    left.map(([key, value]) => {
      const own = isJsonObject(live) ? live[key] : undefined
      const isMerged = isJsonObject(value) ? isJsonObject(own) : Array.isArray(own)
      return [key, isMerged ? consumed(value, own) : withoutNullFields(value)]
    }),
  )
}

const orderPrefix = '$setElementOrder/'
const orderedList = (key: string): string => key.slice(orderPrefix.length)

/** The results of strategic patches are converted instead of decoded, with other messages. */
function restoreProblem(why: string): string {
  const match = /cannot unmarshal (\w+) into Go .* of type (map\[|\[\])/.exec(why)
  if (match === null) return why
  const kinds: Readonly<Record<string, string>> = { array: 'slice', object: 'map', number: 'int64' }
  const given = match[1] ?? ''
  const target = match[2] === '[]' ? 'slice' : 'map'
  return `cannot restore ${target} from ${kinds[given] ?? given}`
}

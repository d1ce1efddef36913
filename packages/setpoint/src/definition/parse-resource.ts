/** Parses an object as an API server stores it: drops nulls, applies defaults, validates. */
import { declaredStatus } from './status/declared-status.ts'
import * as core from 'zod/v4/core'
import { SetpointError } from '../errors/index.ts'
import { isJsonObject, type JsonObject } from '../schema/index.ts'
import {
  applyDefaults,
  brokenRules,
  nilField,
  pruneUnknown,
  validateValue,
} from '../schema/index.ts'
import type { JsonValue } from '../schema/index.ts'
import { plainJson } from './plain-json.ts'
import type { ResourceModel, VersionModel } from './resource-model.ts'

/** One reason why an object was refused. */
export interface ParseIssue {
  /** The field as Kubernetes writes it: `spec.ports[0].name`. */
  readonly field: string
  readonly message: string
}

/** The result of `safeParse`: a value with defaults, or all its problems. */
export type ParseResult<T> =
  | { readonly success: true; readonly data: T }
  | {
      readonly success: false
      readonly error: SetpointError
      readonly issues: readonly ParseIssue[]
    }

/** How `parse` and `safeParse` check an object. */
export interface ParseOptions {
  /**
   * The CEL rules of the definition. By default they are checked if the program has loaded
   * `setpoint/cel`: `@setpoint/cluster`, `setpoint/testing` and the command line do, an operator in
   * production does not, because its bundle would contain the engine. Rules over the whole object
   * count if it has a name, and rules about updates never count. `'check'` throws
   * `RULES_NOT_CHECKED` if the engine is not loaded, and `'skip'` leaves the rules to the server.
   */
  readonly rules?: 'check' | 'skip'
}

/** An object of a resource whose types are not known here. */
export interface LooseObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: JsonObject
  readonly spec: unknown
  readonly status?: unknown
}

/** The version of an object, and what happens with the rules of that version. */
interface ParsedAs {
  readonly version: VersionModel
  readonly rules: ParseOptions['rules']
}

/** Parses an object of one version; `input` may omit apiVersion and kind. */
export function parseResource(
  model: ResourceModel,
  { version, rules }: ParsedAs,
  input: unknown,
): ParseResult<LooseObject> {
  const apiVersion = `${model.group}/${version.name}`
  const given = plainJson(input) as JsonValue | undefined
  if (!isJsonObject(given)) {
    const message = isJsonObject(input as JsonValue) ? 'is nested too deeply' : 'must be an object'
    return refuse(model, undefined, [{ field: '', message }])
  }
  const name = isJsonObject(given['metadata']) ? given['metadata']['name'] : undefined
  const identity = identityIssues(given, { apiVersion, kind: model.kind })
  if (identity.length > 0) return refuse(model, name, identity)
  // Copied again: a default is shared with the schema, and the result belongs to the caller.
  const defaulted = plainJson(applyDefaults(version.schema, given)) as JsonObject
  const pruned = pruneUnknown(version.schema, defaulted, { isResourceRoot: true })
  const errors = validateValue(version.schema, pruned.value)
  const spec = parsePart('spec', version.spec, defaulted['spec'])
  const status = parseStatus(version, defaulted['status'])
  const issues = [...spec.issues, ...status.issues]
  // For unmatched alternatives a server's message names no field; zod's does.
  const isVague = errors.some(({ field }) => field === nilField) && issues.length > 0
  if (errors.length > 0) return refuse(model, name, isVague ? issues : errors)
  if (issues.length > 0) return refuse(model, name, issues)
  const broken =
    rules === 'skip'
      ? []
      : rulesOf(model, version, {
          object: { ...(pruned.value as JsonObject), apiVersion, kind: model.kind },
          rules,
        })
  if (broken.length > 0) return refuse(model, name, broken)
  const data: LooseObject = {
    apiVersion,
    kind: model.kind,
    metadata: (defaulted['metadata'] ?? {}) as JsonObject,
    spec: spec.value,
    ...(status.value === undefined ? {} : { status: status.value }),
  }
  return { success: true, data }
}

/** The rules that the object breaks. Transition rules are about updates, and do not count here. */
function rulesOf(
  { kind }: ResourceModel,
  { schema }: VersionModel,
  { object, rules }: { readonly object: JsonValue; readonly rules: 'check' | undefined },
): readonly ParseIssue[] {
  const broken = brokenRules(schema, object)
  if (broken === undefined && rules === 'check') {
    throw new SetpointError('RULES_NOT_CHECKED', `${kind}: import 'setpoint/cel' to check rules`)
  }
  return broken ?? []
}

/** Like `parseResource`, but throws the error. */
export function parseOrThrow(model: ResourceModel, as: ParsedAs, input: unknown): LooseObject {
  const result = parseResource(model, as, input)
  if (!result.success) throw result.error
  return result.data
}

function identityIssues(
  given: JsonObject,
  expected: { readonly apiVersion: string; readonly kind: string },
): ParseIssue[] {
  const issues: ParseIssue[] = []
  for (const field of ['apiVersion', 'kind'] as const) {
    const value = given[field]
    if (value !== undefined && value !== expected[field]) {
      issues.push({ field, message: `must be ${expected[field]}, not ${JSON.stringify(value)}` })
    }
  }
  return [...issues, ...metadataIssues(given['metadata'])]
}

const textFields = ['name', 'generateName', 'namespace']
const textMaps = ['labels', 'annotations']

/** The types of the metadata that users write; the server validates names and labels. */
function metadataIssues(metadata: JsonValue | undefined): ParseIssue[] {
  if (metadata === undefined) return []
  if (!isJsonObject(metadata)) return [{ field: 'metadata', message: 'must be an object' }]
  const texts = textFields
    .filter((field) => !['string', 'undefined'].includes(typeof metadata[field]))
    .map((field) => ({ field: `metadata.${field}`, message: 'must be a string' }))
  const maps = textMaps.flatMap((field) => {
    const map = metadata[field]
    if (map === undefined) return []
    if (!isJsonObject(map)) return [{ field: `metadata.${field}`, message: 'must be an object' }]
    return Object.keys(map)
      .filter((key) => typeof map[key] !== 'string')
      .map((key) => ({ field: `metadata.${field}.${key}`, message: 'must be a string' }))
  })
  return [...texts, ...maps]
}

interface ParsedPart {
  readonly value?: unknown
  readonly issues: readonly ParseIssue[]
}

/** zod validates last, because it knows rules that a CRD cannot express, such as strict objects. */
function parsePart(field: string, schema: core.$ZodType, value: unknown): ParsedPart {
  const result = core.safeParse(schema, value)
  if (result.success) return { value: result.data, issues: [] }
  return {
    issues: result.error.issues.map((issue) => ({
      field: [field, ...issue.path].reduce<string>(
        (path, step) =>
          typeof step === 'number'
            ? `${path}[${step}]`
            : path === ''
              ? String(step)
              : `${path}.${String(step)}`,
        '',
      ),
      message: issue.message,
    })),
  }
}

/** Conditions and runbooks are not part of the author's schema: they are not parsed by it. */
function parseStatus({ status: schema }: VersionModel, value: JsonValue | undefined): ParsedPart {
  if (!isJsonObject(value)) return { issues: [] }
  if (schema === undefined) return { value, issues: [] }
  const [declared, rest] = declaredStatus(value)
  const parsed = parsePart('status', schema, rest)
  if (Object.keys(declared).length === 0 || parsed.issues.length > 0) return parsed
  return { value: { ...(parsed.value as object), ...declared }, issues: [] }
}

function refuse(
  model: ResourceModel,
  name: JsonValue | undefined,
  issues: readonly ParseIssue[],
): { success: false; error: SetpointError; issues: readonly ParseIssue[] } {
  const subject = typeof name === 'string' ? `${model.kind} ${JSON.stringify(name)}` : model.kind
  const lines = issues.map(
    ({ field, message }) => `\n  ${field === '' ? '' : `${field}: `}${message}`,
  )
  const error = new SetpointError('OBJECT_INVALID', `${subject} is invalid:${lines.join('')}`)
  return {
    success: false,
    error,
    issues: issues.map(({ field, message }) => ({ field, message })),
  }
}

/** What happens to an object that a client sends: pruned, defaulted and validated. Pure. */
import type { AnyResourceDefinition } from '../../definition/index.ts'
import {
  applyDefaults,
  brokenRules,
  type FieldError,
  fieldError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nameProblems,
  pruneUnknown,
  validateValue,
} from '../../schema/index.ts'
import { metadataProblems, objectMetaProblems } from '../../schema/object-meta.ts'
import { refusals } from '../api-refusal.ts'

/** A valid object, and warnings about what was dropped. */
export interface ReceivedObject {
  readonly object: JsonObject
  readonly warnings: readonly string[]
}

/** Where the object was sent to. */
interface Target {
  readonly definition: AnyResourceDefinition
  readonly namespace: string | undefined
  /** Empty for a create. */
  readonly name: string
  /** `Strict`, `Warn` or `Ignore`; `Warn` unless given. */
  readonly fieldValidation: string | null
  /** A random suffix for `generateName`. */
  readonly suffix: () => string
}

/** Reads an object that a client wrote; throws the refusal of an invalid one. */
export function receivedObject(target: Target, sent: JsonValue): ReceivedObject {
  const { definition } = target
  if (!isJsonObject(sent)) throw refusals.badRequest('the object provided is not an object')
  checkIdentity(target, sent)
  const metadata = metadataFor(target, sent['metadata'] ?? {})
  const schema = definition.schema()
  const { apiVersion, kind } = definition
  const identified = { ...sent, apiVersion, kind, metadata }
  const { value, prunedPaths } = pruneUnknown(schema, identified, { isResourceRoot: true })
  const warnings = prunedPaths.map((path) => `unknown field "${path}"`)
  const level = target.fieldValidation ?? 'Warn'
  if (!['Strict', 'Warn', 'Ignore'].includes(level)) {
    throw refusals.badRequest(
      `fieldValidation: Unsupported value: "${level}": supported values: "", "Ignore", "Strict", "Warn"`,
    )
  }
  if (level === 'Strict' && warnings.length > 0) {
    throw refusals.badRequest(
      `${kind} in version "${definition.version}" cannot be handled as a ${kind}: strict decoding error: ${warnings.join(', ')}`,
    )
  }
  const object = applyDefaults(schema, value) as JsonObject
  const errors = [...nameErrors(metadata), ...validateValue(schema, object)]
  const broken = errors.length > 0 ? errors : (brokenRules(schema, object) ?? [])
  if (broken.length > 0) throw refusals.invalid(subjectOf(definition, metadata), broken)
  return { object, warnings: level === 'Warn' ? warnings : [] }
}

function subjectOf({ group, plural, kind }: AnyResourceDefinition, metadata: JsonObject) {
  const { name } = metadata
  return { group, plural, kind, name: typeof name === 'string' ? name : '' }
}

function checkIdentity({ definition }: Target, sent: JsonObject): void {
  const { apiVersion, kind } = definition
  for (const [field, expected] of Object.entries({ apiVersion, kind })) {
    const value = sent[field]
    if (value === undefined || value === expected) continue
    throw refusals.badRequest(
      `${field} in the data (${JSON.stringify(value)}) does not match the expected ${field} (${expected})`,
    )
  }
}

function metadataFor(target: Target, given: JsonValue): JsonObject {
  const problems = objectMetaProblems(given, 'metadata')
  if (!isJsonObject(given) || problems.length > 0) {
    throw refusals.badRequest(problems.map(({ message }) => message).join(', '))
  }
  const { managedFields: _, ...metadata } = given
  const { name = '', generateName = '', namespace } = metadata as Partial<Record<string, string>>
  if (target.name !== '' && name !== '' && name !== target.name) {
    throw refusals.badRequest(
      `the name of the object (${name}) does not match the name on the URL (${target.name})`,
    )
  }
  if (namespace !== undefined && namespace !== '' && namespace !== target.namespace) {
    throw refusals.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
  const generated = name === '' && generateName !== '' ? `${generateName}${target.suffix()}` : name
  return {
    ...metadata,
    name: target.name === '' ? generated : target.name,
    ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
  }
}

function nameErrors(metadata: JsonObject): FieldError[] {
  const { name } = metadata
  const own =
    typeof name !== 'string' || name === ''
      ? [fieldError.required('metadata.name', 'name or generateName is required')]
      : nameProblems
          .dnsSubdomain(name)
          .map((problem) => fieldError.invalid('metadata.name', name, problem))
  return [...own, ...metadataProblems(metadata, 'metadata')]
}

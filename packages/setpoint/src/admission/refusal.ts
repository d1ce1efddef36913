import type { JsonObject, JsonValue } from '../schema/index.ts'
import { isJsonObject } from '../schema/index.ts'
import { isSecretObject } from '../kinds/is-secret-object.ts'
import type { AdmissionRequest, RefusalStatus } from './admission-review.ts'
import { causeOf, type Problem } from './field-problem.ts'

/**
 * The Status for problems, as an API server reports its own: `Application.example.com "web" is
 * invalid: spec.replicas: Invalid value: 200: at most 100`. Texts without a field are refusals.
 */
export function refusalOf(
  request: AdmissionRequest,
  problems: readonly (Problem | string)[],
): RefusalStatus {
  const fields = problems.filter((one) => typeof one !== 'string')
  const texts = problems.filter((one) => typeof one === 'string')
  if (fields.length === 0) {
    return { status: 'Failure', message: texts.join('; '), reason: 'Forbidden', code: 403 }
  }
  const { group, kind } = request.kind
  const name = nameOf(request)
  const causes = fields.map((one) => cause(one, request))
  const all = [...causes.map(({ field, message }) => `${field}: ${message}`), ...texts]
  const list = all.length === 1 ? all.join('') : `[${all.join(', ')}]`
  const title = group === '' ? kind : `${kind}.${group}`
  return {
    status: 'Failure',
    message: `${title} ${JSON.stringify(name)} is invalid: ${list}`,
    reason: 'Invalid',
    code: 422,
    details: { name, ...(group === '' ? {} : { group }), kind, causes },
  }
}

/** The Status when a function failed, instead of deciding. */
export function failureOf(message: string): RefusalStatus {
  return { status: 'Failure', message, reason: 'InternalError', code: 500 }
}

function cause(
  { path, message, type }: Problem,
  request: AdmissionRequest,
): { readonly reason: string; readonly message: string; readonly field: string } {
  const object = request.object ?? request.oldObject ?? {}
  const value = valueAt(object, path)
  const { reason, text } = causeOf(type ?? (value === undefined ? 'Required' : 'Invalid'))
  const hasValue = reason !== 'FieldValueRequired' && reason !== 'FieldValueForbidden'
  const isHidden = isSecretObject(object)
  const shown = hasValue && !isHidden && value !== undefined ? ` ${shownValue(value)}:` : ''
  return { reason, message: `${text}:${shown} ${message}`, field: path }
}

const shownCharactersMax = 256

function shownValue(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}...`
}

/** The value at a path such as `spec.ports[0].name`, or `metadata.labels[a.b/c]`. */
function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const [, name, key] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    const step: string = name ?? (key ?? '').replaceAll(/^["']|["']$/g, '')
    if (Array.isArray(value)) value = value[Number(step)]
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

function nameOf({ name, object }: AdmissionRequest): string {
  if (name !== undefined && name !== '') return name
  const metadata = object?.['metadata']
  const generated = isJsonObject(metadata) ? (metadata['name'] ?? metadata['generateName']) : ''
  return typeof generated === 'string' ? generated : ''
}

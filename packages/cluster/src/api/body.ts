import { goQuote, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  decodeProtobuf,
  decodeTyped,
  hasType,
  JsonSyntaxError,
  parseJson,
  parseYaml,
  ProtobufContentError,
  ProtobufError,
  sortedKeys,
  strictProblems,
  TypedDecodeError,
} from '../codec/index.ts'
import { checkShape } from '../limits/index.ts'
import { jsonKind } from './json-kind.ts'
import { readBody } from './read-body.ts'
import { ApiError, badRequest } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import type { FieldValidation } from './options/write-options.ts'
import type { DecodeTarget } from './typed-target.ts'
import type { DecodedObject } from './resources/served-resource.ts'

/** The media type of a request without its parameters; JSON when there is no Content-Type. */
export function contentType(request: ApiRequest): string {
  const header = request.headers['content-type'] ?? ''
  if (header === '') return 'application/json'
  const type = (header.split(';')[0] ?? '').trim().toLowerCase()
  return mediaParameters.test(header) ? type : ''
}

/** The parameters that Go accepts after a media type; an invalid one makes the type unknown. */
const mediaParameters =
  /^[^;]*(?:;\s*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"]*")\s*)*(?:;\s*)?$/

/** A parsed body, before it is decoded into its kind. */
interface ParsedBody {
  readonly value: JsonValue
  readonly duplicateFields: readonly string[]
}

/** The kind and version of a body that names none. */
type Expected = Pick<DecodeTarget, 'isCustom' | 'apiVersion' | 'kind'>

/** Parses a body by its media type. Errors are the parsers' own; 415 for an unknown type. */
export function parseBody(bytes: Uint8Array, type: string, expected: Expected): ParsedBody {
  const parsed = parsedBytes(bytes, type, expected)
  checkShape(parsed.value)
  return parsed
}

function parsedBytes(bytes: Uint8Array, type: string, expected: Expected): ParsedBody {
  const { isCustom } = expected
  switch (type) {
    case 'application/json':
      return parseJson(textOf(bytes), { mergesRepeated: !isCustom })
    case 'application/yaml':
      return sortedYaml(textOf(bytes))
    case 'application/vnd.kubernetes.protobuf':
      if (isCustom) break
      return { value: decodeProtobuf(bytes, expected).value, duplicateFields: [] }
    default:
  }
  throw unsupportedBody()
}

/**
 * The server sorts the fields of YAML when it converts it to JSON. The order decides which error is
 * reported first.
 */
function sortedYaml(text: string): ParsedBody {
  const { value, duplicateFields } = parseYaml(text)
  return { value: isJsonObject(value) ? sortedKeys(value) : value, duplicateFields }
}

/** Invalid UTF-8 becomes the replacement character, as in Go. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** A real server lists protobuf even for custom resources, which do not support it. */
function unsupportedBody(): ApiError {
  return unsupportedMediaType(bodyTypes)
}

/** 415 with the accepted media types. */
export function unsupportedMediaType(types: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`
  return new ApiError({ code: 415, reason: 'UnsupportedMediaType', message })
}

/** 415 for a body of an unknown type; a create checks it before its options. */
export function checkBodyType(request: ApiRequest): void {
  if (!bodyTypes.includes(contentType(request))) throw unsupportedBody()
}

const bodyTypes: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
]

/** Reads the object of a create or an update and decodes it into the resource's kind. */
export async function decodeObject(
  request: ApiRequest,
  resource: DecodeTarget,
  options: () => FieldValidation,
): Promise<JsonObject> {
  const bytes = await readBody(request)
  const validation = options()
  const parsed = parsedOrRefused(bytes, contentType(request), resource)
  await request.turns.next()
  const given = parsed.value === null ? {} : parsed.value
  if (!isJsonObject(given)) throw unrecognized(bytes, resource, notAnObject(given))
  checkIdentityTypes(given, resource, bytes)
  const isNull = parsed.value === null
  const identity = identified(given, resource, { bytes, isNull, validation })
  const {
    object,
    unknownFields,
    duplicateFields = parsed.duplicateFields,
  } = decoded({ ...parsed, value: given }, resource, identity)
  await request.turns.next()
  reportFields(
    request,
    strictProblems({
      ...strictSource(request, resource, { bytes, duplicateFields }),
      unknownFields,
    }),
    {
      validation,
      refuse: (text) =>
        identity.apiVersion === ''
          ? badRequest("Object 'apiVersion' is missing in 'object has no apiVersion field'")
          : cannotHandle(identity, resource, `strict decoding error: ${text}`),
    },
  )
  checkCustomVersion(identity.apiVersion, resource)
  await request.turns.next()
  const defaulted = resource.strategy.applyDefaults(object)
  request.audit?.requestObject(defaulted)
  await request.turns.next()
  return defaulted
}

/**
 * Built-in kinds report all problems in the order of the text, custom ones duplicate fields first.
 */
function strictSource(
  request: ApiRequest,
  { isCustom }: DecodeTarget,
  { bytes, duplicateFields }: { bytes: Uint8Array; duplicateFields: readonly string[] },
): { jsonText?: string; duplicateFields: readonly string[] } {
  if (contentType(request) !== 'application/json') return { duplicateFields }
  if (!isCustom) return { jsonText: textOf(bytes), duplicateFields }
  return { duplicateFields: duplicateFields.map((path) => `duplicate field ${goQuote(path)}`) }
}

function decoded(
  { value, duplicateFields }: { value: JsonObject; duplicateFields: readonly string[] },
  resource: DecodeTarget,
  identity: { kind: string; version: string },
): DecodedObject {
  try {
    return resource.strategy.decode(value, { duplicateFields })
  } catch (error) {
    throw error instanceof TypedDecodeError
      ? cannotHandle(identity, resource, error.message)
      : error
  }
}

function parsedOrRefused(bytes: Uint8Array, type: string, resource: DecodeTarget): ParsedBody {
  try {
    return parseBody(bytes, type, resource)
  } catch (error) {
    if (error instanceof ProtobufContentError) {
      const version = error.apiVersion.split('/').at(-1) ?? ''
      throw cannotHandle({ kind: error.kind, version }, resource, error.message)
    }
    if (!isUnreadable(error)) throw error
    const prefix =
      type === 'application/json' ? "couldn't get version/kind; json parse error: " : ''
    throw unrecognized(bytes, resource, prefix + error.message)
  }
}

/** A parse error of the request body, as opposed to a bug of this server. */
export function isUnreadable(error: unknown): error is Error {
  return (
    error instanceof JsonSyntaxError ||
    error instanceof ProtobufError ||
    error instanceof ProtobufContentError
  )
}

const identityStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** Go's error for a body that is JSON but not an object. */
export function notAnObject(value: JsonValue): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(value)} into Go value of type ${identityStruct}`
}

/** The kind and the version of a body. */
interface SentIdentity {
  readonly kind: string
  readonly version: string
  /** Set if a custom object names another kind or version than the endpoint's. */
  readonly apiVersion?: string
}

/** The kind and version of an object; 400 when they differ from those of the endpoint. */
function identified(value: JsonObject, resource: DecodeTarget, sent: SentBody): SentIdentity {
  const kind = textField(value, 'kind')
  const apiVersion = groupVersionOf(value, resource, sent.bytes)
  const version = (apiVersion === '' ? resource.apiVersion : apiVersion).split('/').at(-1) ?? ''
  if (resource.isCustom) requireIdentity(value, { kind, resource, ...sent })
  if (
    (kind === '' || kind === resource.kind) &&
    ((apiVersion === '' && !resource.isCustom) ||
      apiVersion === resource.apiVersion ||
      resource.otherVersions?.includes(apiVersion) === true)
  ) {
    return { kind: resource.kind, version }
  }
  const given = { kind: kind === '' ? resource.kind : kind, apiVersion, version }
  if (!resource.isCustom) throw otherKind(given, resource, value)
  return { kind: given.kind, version: apiVersion === '' ? '' : version, apiVersion }
}

/** 400 for a custom object of another version; validation refuses another kind. */
function checkCustomVersion(apiVersion: string | undefined, resource: DecodeTarget): void {
  if (apiVersion === undefined || apiVersion === resource.apiVersion) return
  throw badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${resource.apiVersion})`,
  )
}

/** The apiVersion as Go reads it: `/v1` is the core group, and more than one slash is an error. */
function groupVersionOf(value: JsonObject, resource: DecodeTarget, bytes: Uint8Array): string {
  const given = textField(value, 'apiVersion')
  const parts = given.split('/')
  if (parts.length > 2) {
    throw unrecognized(bytes, resource, `unexpected GroupVersion string: ${given}`)
  }
  const [group = '', version = ''] = parts
  if (parts.length === 1 || group !== '') return given
  return version
}

/** The body as it was sent: error messages quote it. */
interface SentBody {
  readonly bytes: Uint8Array
  readonly isNull: boolean
  readonly validation: FieldValidation
}

/** 400 when `kind` or `apiVersion` is not a string: the type of the body is then unknown. */
function checkIdentityTypes(value: JsonObject, resource: DecodeTarget, bytes: Uint8Array): void {
  for (const name of ['apiVersion', 'kind']) {
    const given = value[name]
    if (given === undefined || given === null || typeof given === 'string') continue
    const why = `json: cannot unmarshal ${jsonKind(given)} into Go struct field .${name} of type string`
    throw unrecognized(bytes, resource, `couldn't get version/kind; json parse error: ${why}`)
  }
}

interface GivenIdentity {
  readonly kind: string
  readonly apiVersion: string
  readonly version: string
}

function otherKind(given: GivenIdentity, as: DecodeTarget, value: JsonObject): ApiError {
  const apiVersion = given.apiVersion === '' ? as.apiVersion : given.apiVersion
  return cannotHandle(given, as, otherKindProblem({ kind: given.kind, apiVersion }, as, value))
}

/**
 * Why an object of another built-in kind is refused. A real server decodes the object as the kind
 * it names, before it compares that kind with the endpoint's.
 */
export function otherKindProblem(
  { kind, apiVersion }: Pick<GivenIdentity, 'kind' | 'apiVersion'>,
  as: DecodeTarget,
  value: JsonObject,
): string {
  if (apiVersion.endsWith('/')) return `Object 'apiVersion' is missing in '${shortJson(value)}'`
  if (!hasType(apiVersion, kind)) {
    return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`
  }
  try {
    decodeTyped({ apiVersion, kind, value })
  } catch (error) {
    if (error instanceof TypedDecodeError) return error.message
    throw error
  }
  const version = apiVersion.split('/').at(-1) ?? ''
  return `converting (${version}.${kind}) to (${internalName(as)}.${as.kind}): unknown conversion`
}

/** The error of a kind that is not the resource's, without a version: the internal one. */
export function otherInternalKindProblem(kind: string, as: DecodeTarget): string {
  const { apiVersion, group } = as
  if (!hasType(apiVersion, kind)) {
    return `no kind ${goQuote(kind)} is registered for the internal version of group ${goQuote(group)} in scheme "pkg/runtime/scheme.go:111"`
  }
  const name = internalName(as)
  return `converting (${name}.${kind}) to (${name}.${as.kind}): unknown conversion`
}

function internalName({ group }: DecodeTarget): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '')
}

/** Custom objects must have `kind` and `apiVersion`; built-in ones may take them from the URL. */
function requireIdentity(
  value: JsonObject,
  given: SentBody & { kind: string; resource: DecodeTarget },
): void {
  const { kind, resource, bytes, isNull, validation } = given
  if (kind === '') {
    const text = isNull ? 'null' : sentJson(bytes, value)
    const why = `Object 'Kind' is missing in '${text}'`
    if (validation !== 'Ignore') throw unrecognized(bytes, resource, why)
    const version = resource.apiVersion.split('/').at(-1) ?? ''
    throw cannotHandle({ kind: resource.kind, version }, resource, why)
  }
  if (value['apiVersion'] === null) {
    const why = '.apiVersion accessor error: <nil> is of the type <nil>, expected string'
    throw cannotHandle({ kind, version: '' }, resource, why)
  }
}

/** JSON as it was sent; YAML is converted first. */
function sentJson(bytes: Uint8Array, value: JsonObject): string {
  return bytes[0] === 0x7b ? textOf(bytes) : shortJson(value)
}

function shortJson(value: JsonObject): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? Number(item) : item,
  )
}

function textField(value: JsonObject, name: string): string {
  const field = value[name]
  return typeof field === 'string' ? field : ''
}

function cannotHandle(
  given: { kind: string; version: string },
  as: DecodeTarget,
  why: string,
): ApiError {
  return badRequest(
    as.refusal ??
      `${given.kind} in version ${goQuote(given.version)} cannot be handled as a ${as.isCustom ? given.kind : as.kind}: ${why}`,
  )
}

function unrecognized(bytes: Uint8Array, as: DecodeTarget, why: string): ApiError {
  return badRequest(
    as.refusal ??
      `the object provided is unrecognized (must be of type ${as.kind}): ${why} (${summary(bytes)})`,
  )
}

const summaryBytes = 30

/** The first bytes of a body: as text when it starts like an object, otherwise in hex. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>'
  const start = bytes.subarray(0, summaryBytes)
  const text =
    bytes[0] === 0x7b
      ? textOf(start)
      : Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytes.length > summaryBytes ? `${text} ...` : text
}

/**
 * Refuses, warns about or ignores unknown and duplicate fields, by the `fieldValidation` option.
 */
export function reportFields(
  request: ApiRequest,
  texts: readonly string[],
  rule: { readonly validation: FieldValidation; readonly refuse: (texts: string) => ApiError },
): void {
  if (texts.length === 0 || rule.validation === 'Ignore') return
  if (rule.validation === 'Strict') throw rule.refuse(texts.join(', '))
  request.warnings.addAll(texts.flatMap(warningsIn))
}

/** The YAML parser reports its errors as one text with a line for each. */
function warningsIn(text: string): string[] {
  const [head = '', ...lines] = text.split('\n')
  return head.endsWith('yaml: unmarshal errors:') ? lines.map((line) => line.trim()) : [text]
}

import { readBytes, type HttpBody } from 'setpoint/host'
import { fieldError, goQuote, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
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
import { nameOf } from '../object/index.ts'
import { jsonKind } from './json-kind.ts'
import { ApiError, badRequest, invalidObject } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import type { FieldValidation } from './options/write-options.ts'
import type { DecodeTarget } from './typed-target.ts'
import type { DecodedObject } from './resources/served-resource.ts'

/** What a real server reads of a request at most. */
const requestBytesMax = 3 * 1024 * 1024

/** Bodies that were read: a write that starts again reads its body again. */
const bodies = new WeakMap<HttpBody, Promise<Uint8Array>>()

/** Reads a body whole; 413 when it is larger than a real server takes. */
export async function readBody(request: ApiRequest): Promise<Uint8Array> {
  let bytes = bodies.get(request.body)
  if (bytes === undefined) {
    bytes = readOnce(request)
    bodies.set(request.body, bytes)
  }
  return bytes
}

async function readOnce(request: ApiRequest): Promise<Uint8Array> {
  const declared = Number(request.headers['content-length'] ?? '0')
  if (declared > requestBytesMax) throw tooLarge()
  const bytes = await readBytes(request.body, requestBytesMax + 1)
  if (bytes.length > requestBytesMax) throw tooLarge()
  return bytes
}

function tooLarge(): ApiError {
  const message = `Request entity too large: limit is ${requestBytesMax}`
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message })
}

/** The media type of a request, without parameters; JSON when nothing is said. */
export function contentType(request: ApiRequest): string {
  const header = request.headers['content-type'] ?? ''
  const type = (header.split(';')[0] ?? '').trim().toLowerCase()
  return type === '' ? 'application/json' : type
}

/** A body as a value, before it is brought into a kind's shape. */
interface ParsedBody {
  readonly value: JsonValue
  readonly duplicateFields: readonly string[]
}

/** What a body is expected to be, unless it says something else. */
type Expected = Pick<DecodeTarget, 'isCustom' | 'apiVersion' | 'kind'>

/** Parses a body by its media type. Errors are the parsers' own; 415 for a type we cannot read. */
export function parseBody(bytes: Uint8Array, type: string, expected: Expected): ParsedBody {
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

/** On its way to JSON, YAML loses its order: that decides which mistake is told. */
function sortedYaml(text: string): ParsedBody {
  const { value, duplicateFields } = parseYaml(text)
  return { value: isJsonObject(value) ? sortedKeys(value) : value, duplicateFields }
}

/** Invalid UTF-8 becomes the replacement character, as in Go. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** A real server names protobuf even to custom resources, which have none. */
function unsupportedBody(): ApiError {
  return unsupportedMediaType([
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
  ])
}

/** 415, naming what would have been understood. */
export function unsupportedMediaType(types: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`
  return new ApiError({ code: 415, reason: 'UnsupportedMediaType', message })
}

/** Reads the object of a create or an update and brings it into the resource's shape. */
export async function decodeObject(
  request: ApiRequest,
  resource: DecodeTarget,
  options: () => FieldValidation,
): Promise<JsonObject> {
  const bytes = await readBody(request)
  const validation = options()
  const parsed = parsedOrRefused(bytes, contentType(request), resource)
  const given = parsed.value === null ? {} : parsed.value
  if (!isJsonObject(given)) throw unrecognized(bytes, resource, notAnObject(given))
  checkIdentityTypes(given, resource, bytes)
  const identity = identified(given, resource, { bytes, isNull: parsed.value === null })
  const { object, unknownFields } = decoded(given, resource, identity)
  reportFields(
    request,
    strictProblems({
      ...strictSource(request, resource, { bytes, duplicateFields: parsed.duplicateFields }),
      unknownFields,
    }),
    {
      validation,
      refuse: (text) => cannotHandle(identity, resource, `strict decoding error: ${text}`),
    },
  )
  return resource.behaviour.applyDefaults(object)
}

/** Built-in kinds are told of all problems in the order of the text, custom ones of repeated fields first. */
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
  value: JsonObject,
  resource: DecodeTarget,
  identity: { kind: string; version: string },
): DecodedObject {
  try {
    return resource.behaviour.decode(value)
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

/** The sender's mistake, not ours. */
export function isUnreadable(error: unknown): error is Error {
  return (
    error instanceof JsonSyntaxError ||
    error instanceof ProtobufError ||
    error instanceof ProtobufContentError
  )
}

const identityStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** What Go says when a body is JSON but no object. */
export function notAnObject(value: JsonValue): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(value)} into Go value of type ${identityStruct}`
}

/** The kind and version an object claims to be; a different one than the endpoint's is refused. */
function identified(
  value: JsonObject,
  resource: DecodeTarget,
  sent: SentBody,
): { kind: string; version: string } {
  const kind = textField(value, 'kind')
  const apiVersion = textField(value, 'apiVersion')
  const version = (apiVersion === '' ? resource.apiVersion : apiVersion).split('/').at(-1) ?? ''
  if (resource.isCustom) requireIdentity(value, { kind, apiVersion, resource, ...sent })
  if (
    (kind === '' || kind === resource.kind) &&
    (apiVersion === '' ||
      apiVersion === resource.apiVersion ||
      resource.otherVersions?.includes(apiVersion) === true)
  ) {
    return { kind: resource.kind, version }
  }
  const given = { kind: kind === '' ? resource.kind : kind, apiVersion, version }
  throw resource.isCustom
    ? otherCustomKind(given, resource, value)
    : otherKind(given, resource, value)
}

/** A body as it came, for refusals that quote it. */
interface SentBody {
  readonly bytes: Uint8Array
  readonly isNull: boolean
}

/** A kind or a version that is no text: then nobody knows what the body is. */
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

function otherCustomKind(given: GivenIdentity, as: DecodeTarget, value: JsonObject): ApiError {
  if (given.apiVersion !== as.apiVersion) {
    return badRequest(
      `the API version in the data (${given.apiVersion}) does not match the expected API version (${as.apiVersion})`,
    )
  }
  const error = fieldError.invalid('kind', given.kind, `must be ${as.kind}`)
  return invalidObject({ group: as.group, kind: given.kind }, nameOf(value), [error])
}

function otherKind(given: GivenIdentity, as: DecodeTarget, value: JsonObject): ApiError {
  const apiVersion = given.apiVersion === '' ? as.apiVersion : given.apiVersion
  return cannotHandle(given, as, otherKindProblem({ kind: given.kind, apiVersion }, as, value))
}

/**
 * Why an object of one built-in kind is none of another. A real server decodes what the object says it
 * is before it sees that it is not what was meant.
 */
export function otherKindProblem(
  { kind, apiVersion }: Pick<GivenIdentity, 'kind' | 'apiVersion'>,
  as: DecodeTarget,
  value: JsonObject,
): string {
  if (!hasType(apiVersion, kind)) {
    return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
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

function internalName({ group }: DecodeTarget): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '')
}

/** Custom objects must say what they are; built-in ones may leave it to the URL. */
function requireIdentity(
  value: JsonObject,
  given: SentBody & { kind: string; apiVersion: string; resource: DecodeTarget },
): void {
  const { kind, apiVersion, resource, bytes, isNull } = given
  if (kind === '') {
    const text = isNull ? 'null' : shortJson(value)
    throw unrecognized(bytes, resource, `Object 'Kind' is missing in '${text}'`)
  }
  if (apiVersion === '') {
    throw cannotHandle(
      { kind, version: '' },
      resource,
      `Object 'apiVersion' is missing in '${shortJson(value)}'`,
    )
  }
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
    `${given.kind} in version "${given.version}" cannot be handled as a ${as.kind}: ${why}`,
  )
}

function unrecognized(bytes: Uint8Array, { kind }: DecodeTarget, why: string): ApiError {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(bytes)})`,
  )
}

const summaryBytes = 30

/** The first bytes of a body: as text when it looks like an object, else in hex. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>'
  const start = bytes.subarray(0, summaryBytes)
  const text =
    bytes[0] === 0x7b
      ? textOf(start)
      : Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytes.length > summaryBytes ? `${text} ...` : text
}

/** Refuses, warns of or ignores fields that nobody knows, as the client asked. */
export function reportFields(
  request: ApiRequest,
  texts: readonly string[],
  rule: { readonly validation: FieldValidation; readonly refuse: (texts: string) => ApiError },
): void {
  if (texts.length === 0 || rule.validation === 'Ignore') return
  if (rule.validation === 'Strict') throw rule.refuse(texts.join(', '))
  request.warnings.addAll(texts.flatMap(warningsIn))
}

/** YAML's complaints come as one text with a line for each. */
function warningsIn(text: string): string[] {
  const [head = '', ...lines] = text.split('\n')
  return head.endsWith('yaml: unmarshal errors:') ? lines.map((line) => line.trim()) : [text]
}

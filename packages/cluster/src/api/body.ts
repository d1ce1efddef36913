import { readBytes, type HttpBody } from 'setpoint/host'
import { fieldError, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  decodeProtobuf,
  decodeTyped,
  hasType,
  JsonSyntaxError,
  parseJson,
  parseYaml,
  ProtobufError,
  strictProblems,
  TypedDecodeError,
} from '../codec/index.ts'
import { nameOf } from '../object/index.ts'
import { ApiError, badRequest, invalidObject } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import type { FieldValidation } from './options/write-options.ts'
import type { DecodedObject, ServedResource } from './resources/served-resource.ts'

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
  return type === '' || type === '*/*' ? 'application/json' : type
}

/** A body as a value, before it is brought into a kind's shape. */
interface ParsedBody {
  readonly value: JsonValue
  readonly duplicateFields: readonly string[]
}

/** Parses a body by its media type. Errors are the parsers' own; 415 for a type we cannot read. */
export function parseBody(bytes: Uint8Array, type: string, isCustom: boolean): ParsedBody {
  switch (type) {
    case 'application/json':
      return parseJson(textOf(bytes))
    case 'application/yaml':
      return parseYaml(textOf(bytes))
    case 'application/vnd.kubernetes.protobuf':
      if (isCustom) break
      return { value: protobufObject(bytes), duplicateFields: [] }
    default:
  }
  throw unsupportedBody(isCustom)
}

function protobufObject(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, value } = decodeProtobuf(bytes)
  return { ...(kind === '' ? {} : { kind, apiVersion }), ...value }
}

/** Invalid UTF-8 becomes the replacement character, as in Go. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function unsupportedBody(isCustom: boolean): ApiError {
  const types = ['application/json', 'application/yaml']
  if (!isCustom) types.push('application/vnd.kubernetes.protobuf')
  return unsupportedMediaType(types)
}

/** 415, naming what would have been understood. */
export function unsupportedMediaType(types: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`
  return new ApiError({ code: 415, reason: 'UnsupportedMediaType', message })
}

/** Reads the object of a create or an update and brings it into the resource's shape. */
export async function decodeObject(
  request: ApiRequest,
  resource: ServedResource,
  options: () => FieldValidation,
): Promise<JsonObject> {
  const bytes = await readBody(request)
  const validation = options()
  const parsed = parsedOrRefused(bytes, contentType(request), resource)
  const given = parsed.value === null ? {} : parsed.value
  if (!isJsonObject(given)) throw unrecognized(bytes, resource, notAnObject(given))
  const identity = identified(given, resource)
  const { object, unknownFields } = decoded(given, resource, identity)
  reportFields(
    request,
    strictProblems({
      ...(contentType(request) === 'application/json' ? { jsonText: textOf(bytes) } : {}),
      duplicateFields: parsed.duplicateFields,
      unknownFields,
    }),
    {
      validation,
      refuse: (text) => cannotHandle(identity, resource, `strict decoding error: ${text}`),
    },
  )
  return resource.behaviour.applyDefaults(object)
}

function decoded(
  value: JsonObject,
  resource: ServedResource,
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

/** Reads a body that must be of one built-in kind, whatever the resource of the request. */
export async function readTyped(
  request: ApiRequest,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Promise<JsonObject> {
  const bytes = await readBody(request)
  const version = apiVersion.split('/').at(-1) ?? ''
  try {
    const { value } = parseBody(bytes, contentType(request), false)
    return decodeTyped({ apiVersion, kind, value: isJsonObject(value) ? value : {} }).object
  } catch (error) {
    if (!(error instanceof TypedDecodeError) && !isUnreadable(error)) throw error
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`,
    )
  }
}

function parsedOrRefused(bytes: Uint8Array, type: string, resource: ServedResource): ParsedBody {
  try {
    return parseBody(bytes, type, resource.isCustom)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const prefix =
      type === 'application/json' ? "couldn't get version/kind; json parse error: " : ''
    throw unrecognized(bytes, resource, prefix + error.message)
  }
}

/** The sender's mistake, not ours. */
export function isUnreadable(error: unknown): error is Error {
  return error instanceof JsonSyntaxError || error instanceof ProtobufError
}

const identityStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function notAnObject(value: JsonValue): string {
  const what = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${what === 'bigint' ? 'number' : what} into Go value of type ${identityStruct}`
}

/** The kind and version an object claims to be; a different one than the endpoint's is refused. */
function identified(
  value: JsonObject,
  resource: ServedResource,
): { kind: string; version: string } {
  const kind = textField(value, 'kind')
  const apiVersion = textField(value, 'apiVersion')
  const version = (apiVersion === '' ? resource.apiVersion : apiVersion).split('/').at(-1) ?? ''
  if (resource.isCustom) requireIdentity(value, { kind, apiVersion, resource })
  if (
    (kind === '' || kind === resource.kind) &&
    (apiVersion === '' || apiVersion === resource.apiVersion)
  ) {
    return { kind: resource.kind, version }
  }
  const given = { kind: kind === '' ? resource.kind : kind, apiVersion, version }
  throw resource.isCustom
    ? otherCustomKind(given, resource, value)
    : otherKind(given, resource, value)
}

interface GivenIdentity {
  readonly kind: string
  readonly apiVersion: string
  readonly version: string
}

function otherCustomKind(given: GivenIdentity, as: ServedResource, value: JsonObject): ApiError {
  if (given.apiVersion !== as.apiVersion) {
    return badRequest(
      `the API version in the data (${given.apiVersion}) does not match the expected API version (${as.apiVersion})`,
    )
  }
  const error = fieldError.invalid('kind', given.kind, `must be ${as.kind}`)
  return invalidObject({ group: as.group, kind: given.kind }, nameOf(value), [error])
}

/** A real server decodes what the object says it is before it sees that it is not what was meant. */
function otherKind(given: GivenIdentity, as: ServedResource, value: JsonObject): ApiError {
  const { kind, version } = given
  const apiVersion = given.apiVersion === '' ? as.apiVersion : given.apiVersion
  if (!hasType(apiVersion, kind)) {
    const why = `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
    return cannotHandle(given, as, why)
  }
  try {
    decodeTyped({ apiVersion, kind, value })
  } catch (error) {
    if (error instanceof TypedDecodeError) return cannotHandle(given, as, error.message)
    throw error
  }
  const why = `converting (${version}.${kind}) to (${internalName(as)}.${as.kind}): unknown conversion`
  return cannotHandle(given, as, why)
}

function internalName({ group }: ServedResource): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '')
}

/** Custom objects must say what they are; built-in ones may leave it to the URL. */
function requireIdentity(
  value: JsonObject,
  given: { kind: string; apiVersion: string; resource: ServedResource },
): void {
  const { kind, apiVersion, resource } = given
  if (kind === '') {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object 'Kind' is missing in '${shortJson(value)}' (${shortJson(value)})`,
    )
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
  as: ServedResource,
  why: string,
): ApiError {
  return badRequest(
    `${given.kind} in version "${given.version}" cannot be handled as a ${as.kind}: ${why}`,
  )
}

function unrecognized(bytes: Uint8Array, { kind }: ServedResource, why: string): ApiError {
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
  request.warnings.addAll(texts)
}

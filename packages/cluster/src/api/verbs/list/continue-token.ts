import { goQuote, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { parseJson } from '../../../codec/index.ts'
import { badRequest } from '../../../status/index.ts'
import { jsonKind } from '../../json-kind.ts'

/** The start of the next page of a list. */
interface ContinueToken {
  /** The revision that all pages show; -1 means the latest, so that pages may be inconsistent. */
  readonly revision: number
  /** The first key, relative to the list's prefix. */
  readonly start: string
}

/** What a token is written from. */
interface PageEnd extends ContinueToken {
  /** Whether the page comes from the watch cache, whose prefixes have no slash at their end. */
  readonly isCached: boolean
}

const format = 'meta.k8s.io/v1'

/** Encodes a token as a real server does. */
export function writeContinueToken({ revision, start, isCached }: PageEnd): string {
  // Go escapes the zero byte that ends a key; JSON.stringify does it the same way.
  const key = isCached ? `/${start}` : start
  const text = JSON.stringify({ v: format, rv: revision, start: key })
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  return base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** Decodes a token; 400 when it is invalid. */
export function readContinueToken(token: string): ContinueToken {
  const value = parsed(decodeBase64(token))
  const version = field(value, 'v', 'string')
  const revision = field(value, 'rv', 'int64')
  const start = field(value, 'start', 'string')
  if (version !== format) {
    throw notValid(`server does not recognize this encoded version ${version}`)
  }
  if (revision === 0) {
    throw notValid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  }
  if (start === '') throw notValid('encoded start key empty (version meta.k8s.io/v1)')
  const key = start.startsWith('/') ? start.slice(1) : start
  const isClean = key === '' || !key.split('/').some((part) => ['', '.', '..'].includes(part))
  if (!isClean) throw notValid(start)
  return { revision, start: key }
}

/** The bytes of a token, one character each. */
function decodeBase64(token: string): string {
  const text = token.replace(/[\r\n]/g, '')
  const wrong = text.search(/[^\w-]/)
  const lone = text.length % 4 === 1 ? text.length - 1 : -1
  if (wrong !== -1 || lone !== -1) {
    throw notValid(`illegal base64 data at input byte ${wrong === -1 ? lone : wrong}`)
  }
  return atob(text.replace(/-/g, '+').replace(/_/g, '/'))
}

function parsed(bytes: string): JsonObject {
  let value: JsonValue
  const [first = ''] = /[^ \t\r\n]/.exec(bytes) ?? []
  // Bytes that are not text are printed as escapes.
  if (first > '~')
    throw notValid(`invalid character '${inQuotes(first)}' looking for beginning of value`)
  try {
    const utf8 = Uint8Array.from(bytes, (character) => character.charCodeAt(0))
    value = parseJson(new TextDecoder().decode(utf8)).value
  } catch (error) {
    throw notValid(error instanceof Error ? error.message : String(error))
  }
  if (value === null) return {}
  if (isJsonObject(value)) return value
  throw notValid(
    `json: cannot unmarshal ${jsonKind(value)} into Go value of type storage.continueToken`,
  )
}

function inQuotes(character: string): string {
  return goQuote(character).slice(1, -1)
}

function field(value: JsonObject, name: string, type: 'string'): string
function field(value: JsonObject, name: string, type: 'int64'): number
function field(value: JsonObject, name: string, type: 'string' | 'int64'): string | number {
  const given = value[name]
  if (given === undefined || given === null) return type === 'string' ? '' : 0
  if (type === 'string' && typeof given === 'string') return given
  if (type === 'int64' && typeof given === 'number' && Number.isInteger(given)) return given
  const isFraction = type === 'int64' && typeof given === 'number'
  const what = isFraction ? `number ${String(given)}` : jsonKind(given)
  throw notValid(
    `json: cannot unmarshal ${what} into Go struct field continueToken.${name} of type ${type}`,
  )
}

function notValid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`)
}

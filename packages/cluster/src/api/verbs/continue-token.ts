import { isJsonObject } from 'setpoint/schema'
import { parseJson } from '../../codec/index.ts'
import { badRequest } from '../../status/index.ts'

/** Where the next page of a list begins. */
interface ContinueToken {
  /** The revision all pages show; -1 means the latest, and that pages need not fit together. */
  readonly revision: number
  /** The key to start at, relative to what is listed. */
  readonly start: string
}

const format = 'meta.k8s.io/v1'

/** Writes a token as a real server does: its clients only pass it back, but people read it. */
export function writeContinueToken({ revision, start }: ContinueToken): string {
  // Go escapes the zero byte that ends a key; JSON.stringify does it the same way.
  const text = JSON.stringify({ v: format, rv: revision, start: `/${start}` })
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  return base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** Reads a token; 400 when it is not one of ours. */
export function readContinueToken(token: string): ContinueToken {
  const value = decode(token)
  const version = value['v']
  if (version !== format) {
    throw notValid(
      `server does not recognize this encoded version ${JSON.stringify(version ?? '')}`,
    )
  }
  const { rv, start } = value as { rv?: unknown; start?: unknown }
  if (rv === 0 || rv === undefined) {
    throw notValid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  }
  if (typeof rv !== 'number' || typeof start !== 'string') {
    throw notValid('encoded start resourceVersion invalid')
  }
  if (start === '') throw notValid('encoded start key empty (version meta.k8s.io/v1)')
  const key = start.startsWith('/') ? start.slice(1) : start
  if (key.startsWith('/') || key.includes('..')) throw notValid(start)
  return { revision: rv, start: key }
}

function decode(token: string): Record<string, unknown> {
  let text: string
  try {
    const bytes = atob(token.replace(/-/g, '+').replace(/_/g, '/'))
    text = new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
  } catch {
    throw notValid('illegal base64 data at input byte 0')
  }
  let value: unknown
  try {
    value = parseJson(text).value
  } catch (error) {
    throw notValid(error instanceof Error ? error.message : String(error))
  }
  if (!isJsonObject(value as never)) throw notValid('not an object')
  return value as Record<string, unknown>
}

function notValid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`)
}

import type { ServerResponse } from 'setpoint/host'
import { encodeJson } from '../../codec/index.ts'
import { methodNotAllowed } from '../../status/index.ts'
import type { JsonObject } from 'setpoint/schema'
import { pageNotFound } from './respond.ts'

/** The answer to a method that no HTTP parser knows; those that it knows reach the handler. */
export function unknownMethodResponse(_method: string, path: string): ServerResponse {
  if (!/^\/(?:api|apis|version)(?:[/?]|$)/.test(path)) return pageNotFound()
  const { status } = methodNotAllowed()
  return {
    status: 405,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' },
    body: `${encodeJson(status as unknown as JsonObject)}\n`,
  }
}

import type { HttpHeaders } from 'setpoint/host'
import { goQuote, isJsonObject, type JsonValue } from 'setpoint/schema'
import { OutboundError } from './outbound-error.ts'

const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
}

/** How much of a response an error shows. */
const shownCharactersMax = 2048

/** The error of a response that is not a success: the message of its Status if it is one. */
export function failedResponse({
  status,
  headers,
  text,
}: {
  readonly status: number
  readonly headers: HttpHeaders
  readonly text: string
}): OutboundError {
  const stated = statusMessage(text)
  if (stated !== undefined) return new OutboundError(stated, status)
  const type = headers['content-type'] ?? ''
  const isText = type === '' || type.trim().startsWith('text/')
  const shown = isText ? text.slice(0, shownCharactersMax).trim() : 'unknown'
  if (status === 403 || status === 415) return new OutboundError(shown, status)
  if (status === 406) {
    const isEmpty = shown === '' || shown === 'unknown'
    const unacceptable =
      'the server was unable to respond with a content type that the client supports'
    return new OutboundError(isEmpty ? unacceptable : shown, status)
  }
  const known = texts[status]
  if (known !== undefined) return new OutboundError(known, status)
  return new OutboundError(
    status >= 500
      ? `an error on the server (${goQuote(shown)}) has prevented the request from succeeding`
      : `the server responded with the status code ${status} but did not return more information`,
    status,
  )
}

function statusMessage(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    if (!isJsonObject(value) || value['kind'] !== 'Status' || value['status'] === 'Success') {
      return undefined
    }
    return typeof value['message'] === 'string' ? value['message'] : undefined
  } catch {
    // The response is not JSON, so it is not a Status.
    return undefined
  }
}

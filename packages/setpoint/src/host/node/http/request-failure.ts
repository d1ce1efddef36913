import type { SetpointError } from '../../../errors/index.ts'
import { networkError } from '../../http/network-error.ts'

/** The phase in which a connection failed: it determines whether anything can have been sent. */
export type ConnectionPhase = 'connecting' | 'handshaking' | 'established'

/**
 * Alerts with which a TLS 1.3 server refuses a client after the client already counts as connected.
 */
const refusedByServer = /^ERR_SSL_.*ALERT_.*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE)/

/** Node's message of a failure. */
export function failureText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // An AggregateError (of several addresses) has an empty message.
  return cause.message === '' ? codeOf(cause) : cause.message.trim()
}

/** Translates Node's error of a request into a SetpointError. */
export function requestFailure(what: string, phase: ConnectionPhase, cause: Error): SetpointError {
  const code = codeOf(cause)
  const why = failureText(cause)
  if (phase === 'connecting') return networkError('NETWORK_CONNECT_FAILED', what, { why, cause })
  if (phase === 'handshaking' || refusedByServer.test(code)) {
    return networkError('NETWORK_TLS_FAILED', what, { why, cause })
  }
  if (code.startsWith('HPE_')) {
    return networkError('NETWORK_PROTOCOL_ERROR', what, { why, cause })
  }
  return networkError('NETWORK_CONNECTION_LOST', what, { why, cause })
}

function codeOf(cause: Error): string {
  return 'code' in cause ? String(cause.code) : ''
}

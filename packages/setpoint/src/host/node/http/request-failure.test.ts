import { expect, test } from 'vitest'
import { type ConnectionPhase, requestFailure } from './request-failure.ts'

test('derives from the connection phase what may have been sent', () => {
  const failure = (phase: ConnectionPhase, code: string) =>
    requestFailure('GET http://x/', phase, Object.assign(new Error(code), { code })).code
  expect(failure('connecting', 'ECONNREFUSED')).toBe('NETWORK_CONNECT_FAILED')
  expect(failure('connecting', 'ECONNRESET')).toBe('NETWORK_CONNECT_FAILED')
  expect(failure('handshaking', 'ECONNRESET')).toBe('NETWORK_TLS_FAILED')
  expect(failure('handshaking', 'CERT_HAS_EXPIRED')).toBe('NETWORK_TLS_FAILED')
  expect(failure('established', 'ECONNRESET')).toBe('NETWORK_CONNECTION_LOST')
  expect(failure('established', 'HPE_INVALID_CONSTANT')).toBe('NETWORK_PROTOCOL_ERROR')
})

test('counts a late refusal of the client certificate as a handshake failure', () => {
  // Node's codes for the alerts of a TLS 1.3 server (openssl s_server -Verify).
  for (const code of [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  ]) {
    const cause = Object.assign(new Error('alert\n'), { code })
    const error = requestFailure('GET https://x/', 'established', cause)
    expect(error).toMatchObject({ code: 'NETWORK_TLS_FAILED', cause })
    expect(error.message).toMatch(/^GET https:\/\/x\/ failed: alert\n {2}hint: /)
  }
  const late = Object.assign(new Error('x'), {
    code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  })
  expect(requestFailure('GET https://x/', 'established', late).code).toBe('NETWORK_CONNECTION_LOST')
})

test('shows the code of an AggregateError, which has no message', () => {
  const cause = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })
  expect(requestFailure('GET http://x/', 'connecting', cause).message).toContain('ECONNREFUSED')
})

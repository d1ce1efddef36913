import { OutboundError } from './outbound-error.ts'

/** The error of a request without a response, in the words of Go's HTTP client. */
export function goNetworkError(error: unknown, url: string): string {
  if (error instanceof OutboundError) return error.message
  const code = textField(error, 'code')
  if (code === 'NETWORK_TIMEOUT') return 'context deadline exceeded'
  const cause = causeOf(error)
  const reason = textField(cause, 'code')
  const { hostname, port, protocol } = new URL(url)
  const address = `${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`
  if (reason === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') {
    return `dial tcp: lookup ${hostname}: no such host`
  }
  if (code === 'NETWORK_TLS_FAILED') return tlsError(reason, cause, hostname)
  if (code === 'NETWORK_CONNECTION_LOST' || code === 'NETWORK_PROTOCOL_ERROR') return 'EOF'
  // A virtual network has no errors of sockets: nothing listens at the address.
  if (code === 'NETWORK_CONNECT_FAILED') return `dial tcp ${address}: connect: connection refused`
  return error instanceof Error ? error.message : String(error)
}

const unknownAuthority: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

function tlsError(reason: string, cause: unknown, hostname: string): string {
  const verify = 'tls: failed to verify certificate: x509: '
  if (unknownAuthority.has(reason)) return `${verify}certificate signed by unknown authority`
  if (reason === 'CERT_HAS_EXPIRED') {
    return `${verify}certificate has expired or is not yet valid`
  }
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${verify}${otherName(cause, hostname)}`
  if (reason === 'EPROTO') return 'http: server gave HTTP response to HTTPS client'
  return `remote error: tls: ${cause instanceof Error ? cause.message : 'handshake failure'}`
}

function otherName(cause: unknown, hostname: string): string {
  const { subjectaltname = '' } =
    (cause as { cert?: { subjectaltname?: string } } | undefined)?.cert ?? {}
  const names = subjectaltname
    .split(', ')
    .map((entry) => entry.slice(entry.indexOf(':') + 1))
    .filter((name) => name !== '')
  return names.length === 0
    ? 'certificate is not valid for any names, but wanted to match ' + hostname
    : `certificate is valid for ${names.join(', ')}, not ${hostname}`
}

/** The innermost error, which is that of the socket. */
function causeOf(error: unknown): unknown {
  let inner = error
  for (let depth = 0; depth < 8; depth += 1) {
    const cause = inner instanceof Error ? inner.cause : undefined
    if (cause === undefined) return inner
    inner = cause
  }
  return inner
}

function textField(value: unknown, name: string): string {
  const field = (value as Record<string, unknown> | null | undefined)?.[name]
  return typeof field === 'string' ? field : ''
}

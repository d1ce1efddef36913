/**
 * The catalogue of everything Setpoint reports as its own error. A code is a promise: it is never
 * renamed and never reused for something else, because users match on it. `docs/reference/errors.md`
 * explains each one; a test keeps the two lists equal.
 */
export const errorCodes = {
  ABORTED: 'The caller gave up: its signal was aborted.',
  BODY_TOO_LARGE: 'An HTTP body is larger than the limit of whoever reads it.',
  CONVERSION_FAILED: 'An object could not be converted between two versions of its resource.',
  CRD_INVALID: 'A CustomResourceDefinition would be refused by an API server.',
  DEFINITION_INVALID: 'A resource definition contradicts itself or a Kubernetes naming rule.',
  FILE_NOT_FOUND: 'A file or directory does not exist.',
  FILE_UNREADABLE: 'A file or directory exists but could not be read or written.',
  HOST_MISUSED: 'A call contradicts the contract of the host: the caller has to change.',
  INVARIANT_VIOLATED: 'Setpoint reached a state it had excluded: a bug in Setpoint.',
  NETWORK_ADDRESS_IN_USE: 'A server could not listen because its address is taken.',
  NETWORK_CONNECTION_LOST: 'A connection broke while a request or an answer was under way.',
  NETWORK_CONNECT_FAILED: 'No connection could be made; the request was never sent.',
  NETWORK_PROTOCOL_ERROR: 'The other side sent something that is not HTTP.',
  NETWORK_TLS_FAILED: 'The TLS handshake failed; nothing was sent.',
  OBJECT_INVALID: 'An object does not match its resource definition.',
  SCHEMA_NOT_REPRESENTABLE: 'A zod schema says something that a CRD cannot say.',
} as const

/** The closed union of error codes; switch over it to handle failures exhaustively. */
export type ErrorCode = keyof typeof errorCodes

/**
 * The catalogue of everything Setpoint reports as its own error. A code is a promise: it is never
 * renamed and never reused for something else, because users match on it. `docs/reference/errors.md`
 * explains each one; a test keeps the two lists equal.
 */
export const errorCodes = {
  ABORTED: 'The caller gave up: its signal was aborted.',
  API_ALREADY_EXISTS: 'The API server has an object of this name already.',
  API_BAD_REQUEST: 'The API server could not make sense of a request.',
  API_CONFLICT: 'A write was based on an object that has changed since, or on fields of others.',
  API_EXPIRED: 'A revision or a page token is too old for the API server to remember.',
  API_FORBIDDEN: 'The API server does not allow the user to do this.',
  API_INVALID: 'An object breaks the rules of its kind.',
  API_NOT_FOUND: 'The API server has no such object, or no such kind.',
  API_TOO_MANY_REQUESTS: 'The API server is busy, or a disruption budget is used up.',
  API_UNAUTHORIZED: 'The API server did not accept the credentials.',
  API_UNAVAILABLE: 'The API server could not do its work.',
  BODY_TOO_LARGE: 'An HTTP body is larger than the limit of whoever reads it.',
  CHILD_TAKEN: 'An object that an operator wants to make exists and belongs to another one.',
  CLIENT_MISUSED: 'A call of the client contradicts itself: the caller has to change.',
  CLUSTER_UNSETTLED: 'An embedded cluster did not come to rest: something keeps changing.',
  COMMAND_FAILED: 'Another program could not be started, or took too long.',
  CONNECTION_INVALID: 'A kubeconfig or an in-cluster configuration does not lead to a cluster.',
  CONVERSION_FAILED: 'An object could not be converted between two versions of its resource.',
  CRD_INVALID: 'A CustomResourceDefinition would be refused by an API server.',
  CRD_NOT_ESTABLISHED: 'A CustomResourceDefinition was applied, but is not served.',
  CREDENTIALS_UNAVAILABLE: 'The credentials for a cluster could not be obtained.',
  DEADLINE_EXCEEDED: 'A call took longer than it was allowed to, and changed nothing.',
  DEFINITION_INVALID: 'A resource definition contradicts itself or a Kubernetes naming rule.',
  ELECTION_INVALID: 'The options of an election contradict each other.',
  FILE_NOT_FOUND: 'A file or directory does not exist.',
  FILE_UNREADABLE: 'A file or directory exists but could not be read or written.',
  GIVE_UP: 'An operator gave up on an object until something changes.',
  HOST_MISUSED: 'A call contradicts the contract of the host: the caller has to change.',
  INVARIANT_VIOLATED: 'Setpoint reached a state it had excluded: a bug in Setpoint.',
  LEADERSHIP_LOST: 'A replica is no longer the one that works: another one is about to begin.',
  METRIC_INVALID: 'The definition of a metric, or a value given to it, contradicts itself.',
  NETWORK_ADDRESS_IN_USE: 'A server could not listen because its address is taken.',
  NETWORK_CONNECTION_LOST: 'A connection broke while a request or an answer was under way.',
  NETWORK_CONNECT_FAILED: 'No connection could be made; the request was never sent.',
  NETWORK_PROTOCOL_ERROR: 'The other side sent something that is not HTTP.',
  NETWORK_TLS_FAILED: 'The TLS handshake failed; nothing was sent.',
  OBJECT_INVALID: 'An object does not match its resource definition.',
  OPERATOR_INVALID: 'The declaration of an operator contradicts itself.',
  PROCESS_INVALID: 'An option or environment variable of a process makes no sense.',
  RETRY_LATER: 'Something outside is not ready yet; nobody is at fault.',
  RUN_OVERDUE: 'A run of an operator took longer than it was allowed to.',
  SCHEMA_NOT_REPRESENTABLE: 'A zod schema says something that a CRD cannot say.',
  TEMPLATE_INVALID: 'A YAML template is no YAML, or has a placeholder without a value.',
  WRITE_OUTCOME_UNKNOWN: 'A write got no answer: it may have happened or not.',
} as const

/** The closed union of error codes; switch over it to handle failures exhaustively. */
export type ErrorCode = keyof typeof errorCodes

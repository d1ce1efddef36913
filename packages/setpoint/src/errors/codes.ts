/**
 * The catalogue of Setpoint's own errors. A code is never renamed and never reused, because users
 * match on it. `docs/reference/errors.md` explains each one; a test keeps the two lists equal.
 */
export const errorCodes = {
  ABORTED: 'The call was cancelled: its signal was aborted.',
  API_ALREADY_EXISTS: 'The API server already has an object of this name.',
  API_BAD_REQUEST: 'The API server could not interpret a request.',
  API_CONFLICT: 'The object has changed since it was read, or another field manager owns a field.',
  API_EXPIRED: 'The API server no longer has a revision or a page token.',
  API_FORBIDDEN: 'The API server does not allow the user to do this.',
  API_HISTORY_RESET: 'The revisions of the API server went back: a backup may have been restored.',
  API_INVALID: 'An object violates the validation rules of its kind.',
  API_NOT_FOUND: 'The API server has no such object, or no such kind.',
  API_TOO_MANY_REQUESTS:
    'The API server is busy, or a PodDisruptionBudget does not allow an eviction.',
  API_UNAUTHORIZED: 'The API server did not accept the credentials.',
  API_UNAVAILABLE: 'The API server failed to process a request.',
  BODY_TOO_LARGE: 'An HTTP body is larger than the limit of its reader.',
  CHILD_TAKEN: 'A child exists already, and its owner does not control it.',
  CLIENT_MISUSED: 'A call of the client has contradictory arguments: fix the caller.',
  CLUSTER_UNSETTLED: 'An embedded cluster did not settle: something keeps changing.',
  COMMAND_FAILED: 'Another program could not be started, or took too long.',
  CONNECTION_INVALID: 'A kubeconfig or an in-cluster configuration does not lead to a cluster.',
  CONVERSION_FAILED: 'An object could not be converted between two versions of its resource.',
  CRD_INVALID: 'A CustomResourceDefinition would be refused by an API server.',
  CRD_NOT_ESTABLISHED: 'A CustomResourceDefinition was applied, but is not served.',
  CREDENTIALS_UNAVAILABLE: 'The credentials for a cluster could not be obtained.',
  DEADLINE_EXCEEDED: 'A call exceeded its deadline and changed nothing.',
  DEFINITION_INVALID:
    'A resource definition is contradictory or violates a Kubernetes naming rule.',
  DURATION_INVALID: 'An option is not a duration: milliseconds, or text such as 5m.',
  ELECTION_INVALID: 'The options of an election contradict each other.',
  FILE_NOT_FOUND: 'A file or directory does not exist.',
  FILE_UNREADABLE: 'A file or directory exists but could not be read or written.',
  GIVE_UP: 'A reconcile gave up on an object until something changes.',
  HOST_MISUSED: 'A call violates the contract of the host: fix the caller.',
  INVARIANT_VIOLATED: 'Setpoint reached an impossible state: a bug in Setpoint.',
  LEADERSHIP_LOST: 'A replica lost leadership: another one is about to start.',
  METRIC_INVALID: 'The definition or a value of a metric is invalid.',
  NETWORK_ADDRESS_IN_USE: 'A server could not listen because its address is taken.',
  NETWORK_CONNECTION_LOST: 'A connection broke during a request or a response.',
  NETWORK_CONNECT_FAILED: 'No connection could be made; the request was never sent.',
  NETWORK_PROTOCOL_ERROR: 'The other side sent something that is not HTTP.',
  NETWORK_TIMEOUT: 'A response exceeded the timeout of its request.',
  NETWORK_TLS_FAILED: 'The TLS handshake failed; nothing was sent.',
  OBJECT_INVALID: 'An object does not match its resource definition.',
  OPERATOR_INVALID: 'The declaration of an operator is invalid.',
  PROCESS_INVALID: 'An option or environment variable of a process is invalid.',
  RETRY_LATER: 'Something outside is not ready yet; this is not a failure.',
  RUN_OVERDUE: 'A reconcile exceeded its deadline.',
  SCHEDULE_INVALID: 'A cron expression or a time zone is invalid.',
  SCHEMA_NOT_REPRESENTABLE: 'A zod schema contains something that a CRD cannot express.',
  TEMPLATE_INVALID: 'A YAML template is not valid YAML, or has a placeholder without a value.',
  WRITE_OUTCOME_UNKNOWN: 'A write got no response: it may or may not have happened.',
}

/** The closed union of error codes; switch over it to handle failures exhaustively. */
export type ErrorCode = keyof typeof errorCodes

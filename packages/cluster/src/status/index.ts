/**
 * status/: errors in the format and with the messages of Kubernetes.
 *
 * Every layer throws an `ApiError`; api/ converts it to the Status for the client. The messages are
 * part of the protocol: client libraries branch on `reason` and users search for the text. So each
 * message is defined here once, and the conformance suite compares it with a real server. It
 * imports nothing of this package.
 */
export {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  forbidden,
  generatedNameExists,
  groupResourceText,
  internalError,
  invalidObject,
  methodNotAllowed,
  notFound,
  requestTimeout,
  requestTooLarge,
  staleObject,
  type Status,
  type StatusCause,
  unauthorized,
  unexpectedError,
  unknownResource,
  unsupportedVerb,
} from './api-error.ts'

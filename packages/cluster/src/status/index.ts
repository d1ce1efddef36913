/**
 * status/: refusals in the shape and the words of Kubernetes.
 *
 * Every layer throws an `ApiError`; api/ turns it into the Status that the client gets. The messages
 * are protocol: client libraries branch on `reason` and people search for the words, so each is
 * spelled here once and compared with a real server by the conformance suite. It imports nothing of
 * this package.
 */
export {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  forbidden,
  groupResourceText,
  internalError,
  invalidObject,
  methodNotAllowed,
  notFound,
  staleObject,
  type Status,
  type StatusCause,
  unauthorized,
  unforeseen,
  unknownResource,
  unsupportedVerb,
} from './api-error.ts'

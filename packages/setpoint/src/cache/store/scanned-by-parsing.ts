import { SetpointError } from '../../errors/index.ts'
import { BytePieces } from './byte-pieces.ts'
import type { ScannedObject } from './scan-object.ts'

interface Parsed {
  readonly metadata?: {
    readonly name?: string
    readonly namespace?: string
    readonly uid?: string
    readonly resourceVersion?: string
    readonly managedFields?: unknown
  }
}

/** The slow version of `scanObject`, for the rare object whose identity contains escapes. */
export function scannedByParsing(object: unknown): ScannedObject {
  const { metadata = {}, ...rest } = object as Parsed
  const { managedFields: _, ...kept } = metadata
  const { name, namespace = '', uid = '', resourceVersion = '' } = kept
  if (name === undefined) {
    throw new SetpointError('NETWORK_PROTOCOL_ERROR', 'a server sent an object without a name')
  }
  const text = JSON.stringify({ ...rest, metadata: kept })
  const identity = { namespace, name, uid, resourceVersion }
  return { identity, content: new BytePieces([new TextEncoder().encode(text)]) }
}

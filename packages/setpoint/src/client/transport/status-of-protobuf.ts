import { isSetpointError } from '../../errors/index.ts'
import { Status } from '../../kinds/generated/messages/meta-v1.ts'
import { decodeMessage, planOf, scanEnvelope } from '../../protobuf/index.ts'
import { type ApiStatus, statusFrom, statusOf } from './api-error.ts'

/**
 * Parses the `Status` in the protobuf body of a failed response; any other body is reported by its
 * HTTP status.
 */
export function statusOfProtobuf(code: number, body: Uint8Array): ApiStatus {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  try {
    const status = decodeMessage(planOf(Status), bytes, scanEnvelope(bytes))
    return { ...(statusFrom({ kind: 'Status', ...status }) ?? statusOf(code, '')), code }
  } catch (error) {
    if (!isSetpointError(error)) throw error
    return statusOf(code, '')
  }
}

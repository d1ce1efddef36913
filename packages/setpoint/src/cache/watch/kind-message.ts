import { PartialObjectMetadata } from '../../kinds/generated/messages/meta-v1.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { MessageTable } from '../../protobuf/index.ts'

/**
 * The protobuf message of a kind; `undefined` when the kind is read as JSON.
 * `PartialObjectMetadata` is the same message for all kinds.
 */
export function messageOf(kind: Kind): MessageTable | undefined {
  return kind.part === 'metadata' ? PartialObjectMetadata : kind.protobuf
}

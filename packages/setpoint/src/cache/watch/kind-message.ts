import { PartialObjectMetadata } from '../../kinds/generated/messages/meta-v1.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { MessageTable } from '../../protobuf/index.ts'

/** How objects of a kind look in protobuf; `undefined` where they are JSON. Metadata is the same for all kinds. */
export function messageOf(kind: Kind): MessageTable | undefined {
  return kind.part === 'metadata' ? PartialObjectMetadata : kind.protobuf
}

/**
 * protobuf/: the binary encoding of Kubernetes' built-in kinds.
 *
 * `decodeMessage` turns bytes into the object that the JSON of the same server would be, by a
 * `MessageTable` (generated, one for each message). A `FrameSplitter` splits a watch into events;
 * `scanEvent` and `scanMessage` find the identity of an object without decoding the rest. The cache
 * reads with them. `encodeObject` makes a request body, and `editObject` one from stored bytes with
 * some fields changed; operators write with them.
 *
 * Malformed bytes are an error: no read beyond their end, no endless loop, no partial object.
 */
export { decodeMessage } from './decode-message.ts'
export type { StoredMessage } from './stored-message.ts'
export { editObject, type FieldEdit } from './edit-message.ts'
export { encodeObject } from './encode-message.ts'
export { scanEnvelope, scanEvent, scanMessage } from './scan-event.ts'
export { FrameSplitter } from './frame-splitter.ts'
export type { MessageTable } from './message-table.ts'
export { type MessagePlan, planOf } from './message-plan.ts'

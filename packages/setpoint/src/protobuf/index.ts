/**
 * protobuf/: the binary form in which Kubernetes sends its built-in kinds.
 *
 * `decodeMessage` turns bytes into the object that the JSON of the same server would be, guided by a
 * `MessageTable` (generated, one for each message); a `FrameSplitter` cuts a watch into its events, and
 * `scanEvent` and `scanMessage` find in one who it is about, without decoding the rest. The cache reads through here.
 * `encodeObject` makes the body of a request, and `editObject` one of an object as it came, with some fields changed: operators
 * write with them what they own.
 *
 * It promises that malformed bytes are an error: no read beyond their end, no endless loop, no half object.
 */
export { decodeMessage } from './decode-message.ts'
export type { StoredMessage } from './stored-message.ts'
export { editObject, type FieldEdit } from './edit-message.ts'
export { encodeObject } from './encode-message.ts'
export { scanEnvelope, scanEvent, scanMessage } from './scan-event.ts'
export { FrameSplitter } from './frame-splitter.ts'
export type { MessageTable } from './message-table.ts'
export { type MessagePlan, planOf } from './message-plan.ts'

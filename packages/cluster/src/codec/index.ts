/**
 * codec/: texts and bytes to values and back, and values into the shapes of Go's types.
 *
 * api/ reads every request body and writes every answer with it; admission, apply and validation use
 * the typed decoding and the quantities. It promises the results and the words of a real API server
 * (1.36): which fields are dropped or added, how times and quantities are spelled, what is said about
 * a wrong type. Pure functions; plans of types are made at first use from data/ and shared.
 */
export { certificateEndMs } from './certificate-end.ts'
export { readCertificateRequest, type CertificateRequest } from './certificate-request.ts'
export { decodeProtobuf } from './decode-protobuf.ts'
export { decodeObjectMeta, decodeTyped, emptyValueOf, hasType } from './decode-typed.ts'
export { encodeJson } from './encode-json.ts'
export { encodeProtobuf, encodeWatchFrame } from './encode-protobuf.ts'
export { encodeYaml } from './encode-yaml.ts'
export { durationText, parseDuration } from './go-duration.ts'
export { JsonSyntaxError } from './json-syntax-error.ts'
export { parseJson } from './parse-json.ts'
export { parseYaml } from './parse-yaml.ts'
export { ProtobufContentError } from './protobuf-content-error.ts'
export { ProtobufError } from './protobuf-reader.ts'
export { parseQuantity, type Quantity } from './quantity.ts'
export { emptyMap, sentEmpty } from './sent-empty.ts'
export { sortedKeys } from './sorted-keys.ts'
export { toStoredForm } from './stored-form.ts'
export { strictProblems } from './strict-problems.ts'
export { messageOf, planOf, type FieldPlan } from './type-plan.ts'
export { TypedDecodeError } from './typed-decode-error.ts'

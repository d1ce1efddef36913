/**
 * codec/: parses texts and bytes to values, prints values, and converts values to the forms of Go's
 * types.
 *
 * api/ reads every request body and writes every answer with it; admission, apply and validation
 * use the typed decoding and the quantities. The results and messages are those of a real API
 * server (1.36): which fields are dropped or added, how times and quantities are printed, the
 * errors about wrong types. Pure functions; plans of types are made from data/ at their first use
 * and shared.
 */
export { certificateEndMs } from './x509/certificate-end.ts'
export { readCertificateRequest, type CertificateRequest } from './x509/certificate-request.ts'
export { decodeProtobuf } from './protobuf/decode-protobuf.ts'
export { decodeObjectMeta, decodeTyped, emptyValueOf, hasType } from './typed/decode-typed.ts'
export { encodeJson } from './json/encode-json.ts'
export {
  encodeProtobuf,
  encodeProtobufItems,
  encodeProtobufList,
  encodeWatchFrame,
} from './protobuf/encode-protobuf.ts'
export { encodeYaml } from './yaml/encode-yaml.ts'
export { durationText, parseDuration } from './go/go-duration.ts'
export { JsonSyntaxError } from './json/json-syntax-error.ts'
export { parseJson } from './json/parse-json.ts'
export { parseYaml } from './yaml/parse-yaml.ts'
export { ProtobufContentError } from './protobuf/protobuf-content-error.ts'
export { ProtobufError } from './protobuf/protobuf-reader.ts'
export { parseQuantity, type Quantity } from './go/quantity.ts'
export {
  asDecoded,
  emptyLike,
  emptyMap,
  fieldsSentEmpty,
  hasFieldsSentEmpty,
  hasRewrittenList,
} from './typed/empty-fields.ts'
export { setOwn } from './json/json-object.ts'
export { compareKeys } from './json/compare-keys.ts'
export { sortedKeys } from './json/sorted-keys.ts'
export { toPrintedForm, toStoredForm } from './typed/stored-form.ts'
export { strictProblems } from './typed/strict-problems.ts'
export { messageOf, planOf, type FieldPlan } from './typed/type-plan.ts'
export { TypedDecodeError } from './typed/typed-decode-error.ts'

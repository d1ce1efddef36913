import { goQuote } from 'setpoint/schema'
import { JsonReader } from '../json/json-reader.ts'

/** The problems of decoding a body; the lists are those of `decodeTyped`. */
interface StrictFindings {
  /** The body, if it was JSON: it decides the order. */
  readonly jsonText?: string
  readonly duplicateFields: readonly string[]
  readonly unknownFields: readonly string[]
}

/** Go's strict decoder stops counting there. */
const problemsMax = 100

/**
 * The parts of a `strict decoding error`, and the texts of the warnings, in the server's order:
 * `unknown field "spec.foo"`, `duplicate field "data.a"`, or the message about a YAML text.
 */
export function strictProblems(findings: StrictFindings): string[] {
  const { jsonText, duplicateFields, unknownFields } = findings
  const unknown = unknownFields.map(aboutUnknown)
  if (duplicateFields.length === 0) return unknown
  // The message about duplicate keys in YAML is complete and comes first.
  if (jsonText === undefined) return [...duplicateFields, ...unknown]
  return inDocumentOrder(jsonText, findings)
}

function aboutUnknown(path: string): string {
  return `unknown field ${goQuote(path)}`
}

function inDocumentOrder(text: string, findings: StrictFindings): string[] {
  const unknown = new Set(findings.unknownFields)
  const duplicate = new Set(findings.duplicateFields)
  const problems = new Set<string>()
  const reader = new JsonReader(text, (path, isRepeated) => {
    if (problems.size >= problemsMax) return
    if (unknown.has(path)) problems.add(aboutUnknown(path))
    else if (isRepeated && duplicate.has(path)) problems.add(`duplicate field ${goQuote(path)}`)
  })
  reader.read()
  return [...problems]
}

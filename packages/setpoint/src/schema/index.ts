/**
 * schema/: what Kubernetes does with the structural schema of a CRD, as pure functions over JSON.
 *
 * The definition layer checks generated schemas with it; the embedded API server prunes, defaults
 * and validates every write with it; `setpoint generate` checks samples with it. It has the
 * behaviour and the messages of a real API server (1.36), including its irregularities; tests
 * compare it with recorded responses. It never changes its input, shares unchanged parts with its
 * results and imports only errors/. CEL rules are kept; `setpoint/cel` evaluates
 * them. Numbers are JavaScript's:
 * integers above 2^53 lose precision before they arrive here.
 */
export { applyDefaults } from './apply-defaults.ts'
export { checkCrd, type CrdReport } from './crd/check-crd.ts'
export { checkStructuralSchema, type SchemaCheckOptions } from './crd/check-structural-schema.ts'
export type {
  CrdConversion,
  CrdManifest,
  CrdNames,
  CrdPrinterColumn,
  CrdScale,
  CrdVersion,
  CrdWebhookClientConfig,
} from './crd/crd-manifest.ts'
export { fieldError, nilField, type FieldError, type FieldErrorType } from './field-error.ts'
export { goJson, goNumber, goQuote } from './go/go-print.ts'
export { toGoRegExp, type GoRegExp } from './go/go-reg-exp.ts'
export {
  evaluateJsonPath,
  parseJsonPath,
  type JsonPathStep,
  type ParsedJsonPath,
} from './json-path.ts'
export { isJsonObject, jsonEquals, type JsonObject } from './json-value.ts'
export { nameProblems } from './name-rules.ts'
export { pruneUnknown, type PruneOptions, type PruneResult } from './prune-unknown-fields.ts'
export { LinearRegExp } from './reg-exp/linear-reg-exp.ts'
export { quantityAmount } from './quantity-amount.ts'
export { brokenRules, useRuleEngine } from './rule-engine.ts'
export { resolveSchemaPath, type SchemaPath } from './schema-path.ts'
export type { JsonValue, StructuralSchema, ValidationRule } from './structural-schema.ts'
export { webhookUrlProblems } from './crd/conversion-problems.ts'
export { validateStructure, validateValue } from './validate/validate-value.ts'
export { withMeter, type WorkMeter } from './work-meter.ts'

/** Evaluates the CEL rules of a schema over an object, as an API server does on every write. */
import {
  fieldError,
  isJsonObject,
  useRuleEngine,
  type FieldError,
  type JsonValue,
  type StructuralSchema,
} from '../../schema/index.ts'
import { byteLength } from '../../schema/go/go-print.ts'
import { CelOptional, CelError, optionalNone, type CelResult } from '../values/cel-value.ts'
import type { CompiledRule } from './compile-rule.ts'
import {
  Correlation,
  isTolerated,
  oldElements,
  ratchetOfIndex,
  ratchetOfKey,
  type Ratchet,
} from './correlation.ts'
import { jsonToValue } from './json-to-value.ts'
import { nodeRulesOf, type NodeRules } from './node-rules.ts'
import { withObjectFields } from './schema-type.ts'

/** The largest cost of all rules for one object. */
const objectBudget = 10_000_000

/** The longest message of a `messageExpression`, in bytes. */
const messageSizeMax = 5 * 1024

/** What to validate. */
export interface RuleValidationOptions {
  /** The object before an update. */
  readonly oldObject?: JsonValue
  /** The largest cost of all rules. */
  readonly costBudget?: number
}

/** The result of a validation. */
export interface RuleValidation {
  readonly errors: readonly FieldError[]
  /** Errors that the old object already had, which the server reports as warnings. */
  readonly warnings: readonly string[]
  /** What is left of the budget; negative if it was too small. */
  readonly budgetLeft: number
}

// `parse` of a definition evaluates rules in programs that load this engine.
useRuleEngine((schema, object) => {
  const hasName = isJsonObject(object) && hasNameIn(object['metadata'] ?? null)
  return validateRules(hasName ? schema : belowRoot(schema), object).errors
})

function hasNameIn(metadata: JsonValue): boolean {
  return isJsonObject(metadata) && typeof metadata['name'] === 'string'
}

const rootless = new WeakMap<StructuralSchema, StructuralSchema>()

/** The schema without the rules of the whole object, which can read a name that is still missing. */
function belowRoot(schema: StructuralSchema): StructuralSchema {
  const known = rootless.get(schema)
  if (known !== undefined) return known
  const { 'x-kubernetes-validations': _rules, ...rest } = schema
  rootless.set(schema, rest)
  return rest
}

/** Evaluates all rules. The compiled rules are kept with the schema. */
export function validateRules(
  schema: StructuralSchema,
  object: JsonValue,
  options: RuleValidationOptions = {},
): RuleValidation {
  const { oldObject, costBudget = objectBudget } = options
  const validation = new Validation(costBudget)
  const hasOld = oldObject !== undefined && oldObject !== null
  const current = hasOld ? new Correlation(object, oldObject, schema) : undefined
  const rules = nodeRulesOf(schema)
  if (rules !== undefined) {
    validation.visit(rules, {
      path: '',
      value: object,
      old: oldObject,
      ratchet: { current, parent: undefined },
    })
  }
  const { errors, warnings, budget } = validation
  return { errors, warnings, budgetLeft: budget }
}

/** A value and where it is. */
interface Node {
  readonly path: string
  readonly value: JsonValue
  readonly old: JsonValue | undefined
  readonly ratchet: Ratchet
}

class Validation {
  readonly errors: FieldError[] = []
  readonly warnings: string[] = []
  budget: number

  constructor(budget: number) {
    this.budget = budget
  }

  /** Evaluates the rules of a node and of everything below it, until the budget is used up. */
  visit(rules: NodeRules, node: Node): void {
    if (node.value === null) return
    this.evaluate(rules, node)
    for (const nested of rules.allOf) {
      if (this.budget < 0) return
      const { parent } = node.ratchet
      this.visit(nested, { ...node, ratchet: { current: undefined, parent } })
    }
    if (this.budget < 0) return
    if (Array.isArray(node.value)) this.visitElements(rules, node, node.value)
    else if (isJsonObject(node.value)) this.visitFields(rules, node, node.value)
  }

  private visitElements(rules: NodeRules, node: Node, value: readonly JsonValue[]): void {
    if (rules.items === undefined) return
    const oldOf = oldElements(rules.schema, node.old)
    for (const [index, element] of value.entries()) {
      if (this.budget < 0) return
      this.visit(rules.items, {
        path: `${node.path}[${index}]`,
        value: element,
        old: oldOf(element),
        ratchet: ratchetOfIndex(node.ratchet, index),
      })
    }
  }

  private visitFields(
    rules: NodeRules,
    node: Node,
    value: Readonly<Record<string, JsonValue>>,
  ): void {
    const { old, path } = node
    const oldFields = isJsonObject(old ?? null) ? (old as Readonly<Record<string, JsonValue>>) : {}
    const visit = (child: NodeRules, name: string, childPath: string): void => {
      this.visit(child, {
        path: childPath,
        value: value[name] ?? null,
        old: oldFields[name],
        ratchet: ratchetOfKey(node.ratchet, name),
      })
    }
    for (const name of Object.keys(value)) {
      if (this.budget < 0) return
      if (rules.values !== undefined) visit(rules.values, name, `${path}[${name}]`)
      const property = rules.properties.get(name)
      if (property === undefined || this.budget < 0) continue
      visit(property, name, path === '' ? name : `${path}.${name}`)
    }
  }

  private evaluate(rules: NodeRules, node: Node): void {
    const { compiled } = rules
    if (compiled.length === 0) return
    if (this.budget <= 0) {
      this.endBudget(rules, node)
      return
    }
    const schema = rules.isRoot ? withObjectFields(rules.schema) : rules.schema
    const self = jsonToValue(node.value, schema)
    const { old } = node
    const oldSelf = old === undefined || old === null ? undefined : jsonToValue(old, schema)
    for (const rule of compiled) {
      if (this.budget < 0) return
      this.evaluateRule(rules, rule, { node, self, oldSelf })
    }
  }

  private endBudget(rules: NodeRules, node: Node): void {
    const detail =
      'validation failed due to running out of cost budget, no further validation rules will be run'
    this.errors.push(fieldError.invalid(pathOf(node.path), typeOf(rules), detail))
    this.budget = -1
  }

  private evaluateRule(
    rules: NodeRules,
    compiled: CompiledRule,
    scope: {
      readonly node: Node
      readonly self: CelResult
      readonly oldSelf: CelResult | undefined
    },
  ): void {
    const { rule, program, error } = compiled
    const { node, self, oldSelf } = scope
    const fail = (detail: string): void => {
      this.errors.push(fieldError.invalid(pathOf(node.path), typeOf(rules), detail))
    }
    if (error !== undefined) fail(`rule compile error: ${error}`)
    if (program === undefined) return
    const isOptional = rule.optionalOldSelf === true
    if (compiled.usesOldSelf && oldSelf === undefined && !isOptional) return
    const bindings = isOptional
      ? { self, oldSelf: optionalOf(oldSelf) }
      : oldSelf === undefined
        ? { self }
        : { self, oldSelf }
    const { value, error: problem, cost } = program.evaluate(bindings)
    if (cost > this.budget) {
      this.endBudget(rules, node)
      return
    }
    this.budget -= cost
    if (problem !== undefined) {
      fail(evaluationDetail(problem, ruleText(compiled)))
      if (problem.startsWith(costLimitError)) this.budget = -1
      return
    }
    if (value !== true) this.reportFailure(compiled, { rules, node }, bindings)
  }

  private reportFailure(
    compiled: CompiledRule,
    { rules, node }: { readonly rules: NodeRules; readonly node: Node },
    bindings: Readonly<Record<string, CelResult>>,
  ): void {
    const { fieldPath } = compiled
    const path = fieldPath === '' ? node.path : joined(node.path, fieldPath)
    const message = this.message(compiled, bindings)
    const error =
      'fatal' in message
        ? fieldError.invalid(pathOf(path), typeOf(rules), message.fatal)
        : ruleError(compiled, { rules, node }, { path, detail: message.detail })
    if ('fatal' in message) this.budget = -1
    if (!compiled.usesOldSelf && isTolerated(node.ratchet)) {
      this.warnings.push(`${error.field}: ${error.message}`)
    } else this.errors.push(error)
  }

  /** The text of a failed rule: of its message expression, its message, or the rule itself. */
  private message(
    compiled: CompiledRule,
    bindings: Readonly<Record<string, CelResult>>,
  ): { readonly detail: string } | { readonly fatal: string } {
    const { rule, messageProgram } = compiled
    const plain =
      rule.message === undefined || rule.message === ''
        ? `failed rule: ${ruleText(compiled)}`
        : rule.message.trim()
    if (messageProgram === undefined) return { detail: plain }
    const { value, error, cost } = messageProgram.evaluate(bindings)
    if (cost > this.budget) {
      return {
        fatal:
          'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      }
    }
    if (error?.startsWith(costLimitError) === true) {
      const source = JSON.stringify(rule.messageExpression ?? '')
      return {
        fatal: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`,
      }
    }
    this.budget -= cost
    const text = typeof value === 'string' ? value.trim() : ''
    const isUsable = text !== '' && !text.includes('\n') && byteLength(text) <= messageSizeMax
    return { detail: isUsable ? text : plain }
  }
}

const costLimitError = 'operation cancelled: actual cost limit exceeded'

function evaluationDetail(problem: string, rule: string): string {
  if (problem.startsWith('no such overload')) {
    return `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
  }
  if (problem.startsWith(costLimitError)) {
    return `'${problem}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`
  }
  return `${problem} evaluating rule: ${rule}`
}

function ruleText({ rule }: CompiledRule): string {
  const { message = '' } = rule
  return (message === '' ? rule.rule : message).trim()
}

function optionalOf(value: CelResult | undefined): CelResult {
  if (value === undefined) return optionalNone
  return value instanceof CelError ? value : new CelOptional(value)
}

function joined(path: string, fieldPath: string): string {
  return path === '' ? fieldPath : `${path}.${fieldPath}`
}

/** The server prints a path without steps as `<nil>`. */
function pathOf(path: string): string {
  return path === '' ? '<nil>' : path
}

function typeOf({ schema }: NodeRules): string {
  return schema.type ?? ''
}

function ruleError(
  { rule }: CompiledRule,
  { rules, node }: { readonly rules: NodeRules; readonly node: Node },
  { path, detail }: { readonly path: string; readonly detail: string },
): FieldError {
  const field = pathOf(path)
  const { type } = rules.schema
  const isOmitted = type === 'object' || type === 'array'
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(field, detail)
    case 'FieldValueRequired':
      return fieldError.required(field, detail)
    case 'FieldValueDuplicate':
      return isOmitted
        ? fieldError.duplicateOmitted(field)
        : fieldError.duplicate(field, node.value)
    default:
      return isOmitted
        ? fieldError.invalidOmitted(field, detail)
        : fieldError.invalid(field, node.value, detail)
  }
}

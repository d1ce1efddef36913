/** The parts of `x-kubernetes-validations` that can be checked without evaluating CEL. */
import { invalid, notSupported, required, type FieldError } from '../field-error.ts'
import { raw, unreadableKeyword } from './raw-schema.ts'
import { findSchemaField } from '../schema-field-path.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]

/** The problems of one node's rules. */
export function validationRuleProblems(schema: StructuralSchema, path: string): FieldError[] {
  const rules = raw(schema)['x-kubernetes-validations'] ?? []
  return rules.flatMap((rule, index) => {
    const field = `${path}.x-kubernetes-validations[${index}]`
    return [
      ...textProblems(rule, field),
      ...reasonProblems(rule, field),
      ...fieldPathProblems(schema, rule, field),
    ]
  })
}

type Rule = Readonly<Record<string, JsonValue>>

function textOf(rule: Rule, key: string): string {
  const value = rule[key]
  return typeof value === 'string' ? value : ''
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text)
}

function textProblems(rule: Rule, field: string): FieldError[] {
  const source = textOf(rule, 'rule').trim()
  const message = textOf(rule, 'message')
  const expression = textOf(rule, 'messageExpression')
  const errors: FieldError[] = []
  if (source === '') {
    errors.push(required(`${field}.rule`, 'rule is not specified'))
  } else if (message !== '' && message.trim() === '') {
    errors.push(invalid(`${field}.message`, message, 'must be non-empty if specified'))
  } else if (hasLineBreak(message.trim())) {
    errors.push(invalid(`${field}.message`, message, 'must not contain line breaks'))
  } else if (hasLineBreak(source) && message === '') {
    const detail = 'message must be specified if rule contains line breaks'
    errors.push(required(`${field}.message`, detail))
  }
  if (expression !== '' && expression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified'
    errors.push(required(`${field}.messageExpression`, detail))
  }
  return errors
}

function reasonProblems(rule: Rule, field: string): FieldError[] {
  const reason = rule['reason']
  if (reason === undefined || reason === null || reasons.includes(reason as string)) return []
  return [notSupported(`${field}.reason`, reason, reasons)]
}

function fieldPathProblems(schema: StructuralSchema, rule: Rule, field: string): FieldError[] {
  const path = textOf(rule, 'fieldPath')
  if (path === '') return []
  const at = `${field}.fieldPath`
  const errors: FieldError[] = []
  if (path.trim() === '') errors.push(invalid(at, path, 'must be non-empty if specified'))
  if (hasLineBreak(path)) errors.push(invalid(at, path, 'must not contain line breaks'))
  const isReadable = unreadableKeyword(schema) === undefined
  if (isReadable && findSchemaField(schema, path, { isDotted: false }).problem !== undefined) {
    errors.push(invalid(at, path, 'must be a valid path'))
  }
  return errors
}

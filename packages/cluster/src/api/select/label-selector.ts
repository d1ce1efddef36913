import { fieldError, nameProblems, nilField } from 'setpoint/schema'
import { badRequest, type ApiError } from '../../status/index.ts'
import { LabelSelectorReader } from './label-selector-reader.ts'
import { ExpectedLabel } from './expected-label.ts'
import { BetweenRequirementsError, SelectorSyntaxError, type Requirement } from './requirement.ts'

/** Whether an object's labels match a selector. */
export type LabelMatch = (labels: Readonly<Record<string, string>> | undefined) => boolean

/** Parses `labelSelector`; 400 with a real server's message when it is invalid. */
export function parseLabelSelector(text: string): LabelMatch | undefined {
  const requirements = readRequirements(text)
  if (requirements.length === 0) return undefined
  const expected = new Map<string, ExpectedLabel>()
  for (const requirement of requirements) {
    const label = expected.get(requirement.key) ?? new ExpectedLabel()
    label.add(requirement)
    expected.set(requirement.key, label)
  }
  const required = [...expected].flatMap(([key, label]) => (label.isRequired ? [key] : []))
  return (labels = {}) =>
    required.every((key) => Object.hasOwn(labels, key)) &&
    Object.keys(labels).every((key) => expected.get(key)?.accepts(labels[key] ?? '') !== false)
}

function readRequirements(text: string): Requirement[] {
  try {
    return new LabelSelectorReader(text).read().map(checked)
  } catch (error) {
    if (error instanceof BetweenRequirementsError) throw badRequest(error.message)
    if (error instanceof SelectorSyntaxError) throw unableToParse(error.message)
    throw error
  }
}

function unableToParse(why: string): ApiError {
  return badRequest(`unable to parse requirement: ${why}`)
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement
  const keyProblems = nameProblems.qualifiedName(key)
  if (keyProblems.length > 0) {
    throw new SelectorSyntaxError(printed(fieldError.invalid('key', key, keyProblems.join('; '))))
  }
  if (operator === 'gt' || operator === 'lt') {
    const [value = ''] = values
    if (!/^[+-]?\d+$/.test(value)) {
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer"
      const { field, message } = fieldError.invalid('values[0]', value, detail)
      throw new SelectorSyntaxError(`${field}: ${message}`)
    }
  }
  for (const [index, value] of values.entries()) {
    const problems = nameProblems.labelValue(value)
    if (problems.length === 0) continue
    const field = `values[${index}][${key}]`
    throw new SelectorSyntaxError(printed(fieldError.invalid(field, value, problems.join('; '))))
  }
  return requirement
}

function printed(error: { readonly message: string }): string {
  return `${nilField}: ${error.message}`
}

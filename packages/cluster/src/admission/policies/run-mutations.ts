import {
  CelError,
  CelList,
  CelMessage,
  type CelValue,
  mutationExpression,
  type MutationExpression,
  patchJson,
  plainValue,
  type PolicyPrograms,
  type Program,
  typeNameProblems,
} from 'setpoint/cel'
import { isJsonObject, jsonEquals, type JsonObject } from 'setpoint/schema'
import { ConfigurationError } from '../../apply/index.ts'
import type { Authorizer } from '../../auth/index.ts'
import { TypedDecodeError } from '../../codec/index.ts'
import { applyJsonPatch, patchFailure } from '../../patch/index.ts'
import { ApiError, internalError } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import { type ExpressionBindings, expressionBindings } from '../expression-bindings.ts'
import { conditionsMatch, outOfBudget } from '../match-conditions.ts'
import { replaceContent } from '../replace-content.ts'
import type { Invocation } from '../webhooks/invocation.ts'
import type { MutatingPolicySpec } from './bound-policy.ts'
import { LazyVariables } from './lazy-variables.ts'

/** The object that a policy changes, and what its expressions know. */
interface WrittenObject {
  readonly attributes: AdmissionAttributes
  readonly invocation: Invocation
  readonly param: JsonObject | null
  readonly namespaceObject: JsonObject | undefined
  readonly authorizer: Authorizer
  /** False in the second pass if the policy is not invoked again. */
  readonly mayCall: boolean
}

/** What the mutations of a policy did. */
interface MutationOutcome {
  /** Whether the conditions were true. */
  readonly isCalled: boolean
  /** How many mutations have written the object. */
  readonly writtenCount: number
  readonly isChanged: boolean
  readonly problems: readonly string[]
}

/** The largest cost of one mutation. */
const mutationBudget = 10_000_000

/** A mutation that cannot be applied. */
class MutationProblem extends Error {}

/** Runs the mutations of a policy; each one sees the changes of those before it. */
export async function runMutations(
  spec: MutatingPolicySpec,
  programs: PolicyPrograms,
  written: WrittenObject,
): Promise<MutationOutcome> {
  const nothing = { isCalled: false, writtenCount: 0, isChanged: false, problems: [] }
  const conditions = (spec.matchConditions ?? []).map(({ expression }, index) => ({
    expression,
    compiled: programs.matchConditions[index] ?? { problem: 'missing' },
  }))
  const matches = conditionsMatch(conditions, await bindingsOf(written))
  if (matches !== true && matches !== false) return { ...nothing, problems: [matches.problem] }
  if (!matches || !written.mayCall) return nothing
  let writtenCount = 0
  let isChanged = false
  const problems: string[] = []
  for (const [index, mutation] of (spec.mutations ?? []).entries()) {
    if (written.invocation.write.object === undefined) continue
    try {
      const hasChanged = await mutate(mutation, { programs, index, written })
      isChanged ||= hasChanged
      writtenCount += 1
    } catch (error) {
      if (!(error instanceof MutationProblem)) throw error
      problems.push(error.message)
    }
  }
  return { isCalled: true, writtenCount, isChanged, problems }
}

/** The object in the version that the policy asks for. */
async function currentObject({
  attributes,
  invocation,
}: WrittenObject): Promise<JsonObject | undefined> {
  const { converted, write } = invocation
  if (converted === undefined || write.object === undefined) return write.object
  return converted.convert(attributes.object)
}

async function bindingsOf(written: WrittenObject): Promise<ExpressionBindings> {
  const { attributes, invocation, namespaceObject, authorizer, param } = written
  const write = { ...invocation.write, object: await currentObject(written) }
  const matched = { attributes, invocation: { ...invocation, write } }
  const bindings = expressionBindings(matched, authorizer, namespaceObject)
  return { ...bindings, params: plainValue(param) }
}

/** Whether the mutation has changed the object. */
async function mutate(
  mutation: MutationExpression,
  { programs, index, written }: { programs: PolicyPrograms; index: number; written: WrittenObject },
): Promise<boolean> {
  const { program, problem } = programs.mutations[index] ?? { problem: 'missing' }
  if (program === undefined) throw new MutationProblem(problem)
  const value = await evaluate(program, mutationExpression(mutation), { programs, written })
  const object = (await currentObject(written)) ?? {}
  const { attributes } = written
  const changed =
    mutation.patchType === 'JSONPatch'
      ? patched(object, value, written)
      : merged(object, value, written)
  const decoded = await decode(changed, written)
  const target = attributes.subject?.object ?? attributes.object
  const isChanged = !jsonEquals(target, decoded)
  replaceContent(target, decoded)
  return isChanged
}

/** Decodes the object; only a merged one can still have values that do not fit. */
async function decode(
  changed: JsonObject,
  { attributes, invocation }: WrittenObject,
): Promise<JsonObject> {
  // A real server converts only custom resources back to the version of the request.
  if (invocation.converted !== undefined && !attributes.resource.isCustom) {
    const { version, kind } = invocation.write.kind
    const { resource } = attributes
    throw new MutationProblem(
      `converting (${version}.${kind}) to (${resource.version}.${resource.kind}): unknown conversion`,
    )
  }
  try {
    return await attributes.decode(changed, invocation.converted)
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error
    const { group, version, kind } = invocation.write.kind
    const number = /^json: cannot unmarshal number .* of type (?<type>\S+)$/.exec(error.message)
    const type = number?.groups?.['type']
    const why = type === undefined ? error.message : `cannot convert float64 to ${type}`
    const where = group === '' ? version : `${group}/${version}`
    throw new MutationProblem(
      `unable to convert unstructured object to ${where}, Kind=${kind}: ${why}`,
    )
  }
}

async function evaluate(
  program: Program,
  expression: string,
  { programs, written }: { programs: PolicyPrograms; written: WrittenObject },
): Promise<CelValue> {
  const variables = new LazyVariables(programs, await bindingsOf(written))
  const { value, error, cost } = program.evaluate(variables.bindings)
  if (cost + variables.takeCost() > mutationBudget) throw new MutationProblem(outOfBudget)
  if (error === undefined) return value
  throw new MutationProblem(`expression '${expression}' resulted in error: ${error}`)
}

function merged(
  object: JsonObject,
  value: CelValue,
  { attributes, invocation }: WrittenObject,
): JsonObject {
  checkTypeNames(value)
  const configuration = patchJson(value)
  if (configuration instanceof CelError || !isJsonObject(configuration)) {
    throw new MutationProblem('invalid return type: *dynamic.ObjectVal')
  }
  try {
    return attributes.mergeConfiguration(object, configuration, invocation.converted)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new MutationProblem(`error applying patch: ${error.message}`)
  }
}

function checkTypeNames(value: CelValue): void {
  const problems = typeNameProblems(value)
  if (problems.length > 0) throw new MutationProblem(`type mismatch: ${problems.join('\n')}`)
}

function patched(
  object: JsonObject,
  value: CelValue,
  { attributes, invocation }: WrittenObject,
): JsonObject {
  const operations = operationsOf(value)
  const result = applyOperations(object, operations)
  try {
    const unknown = attributes.unknownFields(result, invocation.converted)
    if (unknown.length === 0) return result
    const fields = unknown.map((field) => `unknown field ${JSON.stringify(field)}`)
    throw internalError(`strict decoding error: ${fields.join(', ')}`)
  } catch (error) {
    if (error instanceof TypedDecodeError) throw internalError(error.message)
    throw error
  }
}

function applyOperations(object: JsonObject, operations: readonly JsonObject[]): JsonObject {
  try {
    return applyJsonPatch(object, [...operations])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const why = patchFailure(object, [...operations])
    // A test that fails leaves the object as it is.
    if (why.endsWith(': test failed')) return object
    throw new MutationProblem(`JSON Patch: ${why}`)
  }
}

function operationsOf(value: CelValue): JsonObject[] {
  if (!(value instanceof CelList)) throw new MutationProblem('type mismatch')
  return [...value].map((operation) => {
    if (!(operation instanceof CelMessage)) throw new MutationProblem('type mismatch')
    return operationOf(operation)
  })
}

function operationOf({ fields }: CelMessage): JsonObject {
  const text = (name: string): string => {
    const value = fields.get(name)
    return typeof value === 'string' ? value : ''
  }
  const [from, given] = [text('from'), fields.get('value')]
  const operation = { op: text('op'), path: text('path'), ...(from === '' ? {} : { from }) }
  if (given === undefined) return operation
  if (given instanceof CelMessage) checkTypeNames(given)
  const value = patchJson(given)
  if (!(value instanceof CelError)) return { ...operation, value }
  throw new MutationProblem(
    `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${value.message}`,
  )
}
